% pool_work.m - workers of Octave's package parallel, which multiply and then meet
% SPDX-License-Identifier: Apache-2.0
%
% usage: octave-cli --path HERE pool_work.m WAY WORKERS FOLDER   as pool_work.py
pkg load parallel
words = argv ();
count = str2double (words{2});
if (index (words{1}, "-late") > 0)
  assert (pool_task (""), 1);
end
answers = parcellfun (count, @(f) pool_task (f), repmat (words(3), 1, count), "VerboseLevel", 0);
if (all (answers) && numel (answers) == count)
  puts ("right\n");
else
  puts ("wrong\n");
end
