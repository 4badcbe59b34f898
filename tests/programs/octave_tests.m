# octave_tests.m - runs the tests in the files named, and prints a verdict of each; what fails is printed before it
# SPDX-License-Identifier: Apache-2.0
1;
for file = argv ()'
  rand ("state", 1);
  randn ("state", 1);
  [passed, tests, failing, known, missing, skipped, regressions] = test (file{1}, "quiet", stdout);
  printf ("verdict %s: %d of %d passed; %d and %d known to fail, %d and %d skipped, %d regressions\n", ...
          file{1}, passed, tests, failing, known, missing, skipped, regressions);
endfor
