-- gpushim.lua - Lmod's module file: `module load gpushim`, then `gpushim run -- PROGRAM`
-- SPDX-License-Identifier: Apache-2.0
help([[Runs the large BLAS, LAPACK and FFTW3 calls of unmodified programs on an NVIDIA GPU:
    gpushim run -- PROGRAM
Without the tool: LD_PRELOAD=$GPUSHIM_PRELOAD PROGRAM]])
whatis("Description: BLAS, LAPACK and FFTW calls of unmodified programs on an NVIDIA GPU")
whatis("Version: 0.1.0")

-- Where it was installed: cmake --install build/release --prefix PREFIX.
local prefix = "/opt/gpushim"
prepend_path("PATH", pathJoin(prefix, "bin"))
prepend_path("MANPATH", pathJoin(prefix, "share/man"))
setenv("GPUSHIM_PRELOAD", pathJoin(prefix, "lib/libgpushim.so"))
