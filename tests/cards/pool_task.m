% pool_task.m - what a worker of pool_work.m does: a product, and a meeting with the others
% SPDX-License-Identifier: Apache-2.0
function right = pool_task (folder)
  right = double (all ((ones (300) * ones (300))(:) == 300));
  if (isempty (folder))
    return;
  end
  fclose (fopen (fullfile (folder, num2str (getpid ())), "w"));
  stop = time () + 60;
  while (! exist (fullfile (folder, "go"), "file") && time () < stop)
    pause (0.002);
  end
end
