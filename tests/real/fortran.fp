# fortran.fp - gfortran: traps by -ffpe-trap, all flags reported at the end
need() { needs_command gfortran; }
prepare() {
	traps=
	[ "$way" != traps ] || traps=-ffpe-trap=invalid,zero,overflow
	(cd "$work" && gfortran $traps -ffpe-summary=all -I/usr/include -o fortran_fp \
		"$here/fortran_fp.f90" -lopenblas -lfftw3) ||
		skip "the program cannot be built: OpenBLAS or FFTW is not installed"
}
program() { start "$work/fortran_fp"; }
