#%Module1.0
# gpushim.tcl - Tcl module file: `module load gpushim`, then `gpushim run -- PROGRAM`
# SPDX-License-Identifier: Apache-2.0
proc ModulesHelp {} {
	puts stderr "Runs the large BLAS, LAPACK and FFTW3 calls of unmodified programs on an NVIDIA"
	puts stderr "GPU: gpushim run -- PROGRAM. Without the tool: LD_PRELOAD=\$GPUSHIM_PRELOAD PROGRAM"
}
module-whatis "BLAS, LAPACK and FFTW calls of unmodified programs on an NVIDIA GPU, version 0.1.0"

# Where it was installed: cmake --install build/release --prefix PREFIX.
set prefix /opt/gpushim
prepend-path PATH $prefix/bin
prepend-path MANPATH $prefix/share/man
setenv GPUSHIM_PRELOAD $prefix/lib/libgpushim.so
