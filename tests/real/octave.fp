# octave.fp - Octave: products and transforms
need() { needs_command octave-cli; }
program() { start octave-cli --norc --quiet --eval "run('$here/octave_fp.m')"; }
