#!/bin/sh
# record_traces.sh - records bench/traces: programs on the CPU, whose calls the shim logs and times
# SPDX-License-Identifier: Apache-2.0
#
# usage: record_traces.sh BUILD FOLDER [NAME]...
#
# BUILD is a build without sanitizers, FOLDER takes the traces: those of the NAMEs, or all. No GPU
# is needed. A program that is not installed is reported as missing, and its trace stays as it is.
# shellcheck disable=SC2317 # the record_ functions are called by their names
set -eu
[ $# -ge 2 ] || { echo "usage: $0 BUILD FOLDER [NAME]..."; exit 2; }
build=$(cd "$1" && pwd)
folder=$(cd "$2" && pwd)
sources=$(cd "$(dirname "$0")/traces" && pwd)
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
failed=0

missing() {
	command -v "$1" >/dev/null 2>&1 && return 1
	echo "$name: skipped, $1 is not installed"
}

version() { dpkg-query -W -f '${Version}' "$1" 2>/dev/null || echo unknown; }

# The policy always makes the shim describe small calls too. There is no device: all calls run on
# the CPU, on one thread.
under_shim() {
	env CUDA_VISIBLE_DEVICES=-1 OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 \
		EPOCHLY_GPU_POLICY=always EPOCHLY_GPU_WORKLOAD_THRESHOLD=0 \
		EPOCHLY_GPU_LOG="$work/log" EPOCHLY_GPU_LOG_LEVEL=call \
		OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
		LD_PRELOAD="$build/libgpushim.so" "$@"
}

# write_trace REPEAT PACKAGE PROGRAM COMPUTES: from the log.
write_trace() {
	python3 "$sources/trace_of_log.py" "$work/log" "program $3" \
		"version $(version "$2") of $2" "computes $4" \
		"recorded by record_traces.sh under the shim, every call timed by it" \
		"cpu $processor" "date $(date -u +%Y-%m-%d)" "threads 1" "repeat $1" >"$work/trace"
	mv "$work/trace" "$folder/$name.trace"
}

record_octave() {
	missing octave-cli && return
	under_shim octave-cli --norc --quiet "$sources/trace_octave.m" &&
		write_trace 100 octave Octave \
		'least squares, systems, decompositions and powers of matrices to 2400 x 2400'
}

record_octave_fft() {
	missing octave-cli && return
	under_shim octave-cli --norc --quiet "$sources/trace_octave_fft.m" &&
		write_trace 60 octave Octave \
			'a flow on 1024 x 1024 points, filters of images and of a volume of 160^3'
}

record_r() {
	missing Rscript && return
	under_shim Rscript --vanilla "$sources/trace_r.R" &&
		write_trace 200 r-base-core R \
		'ridge regression, covariances, principal components, small and large products'
}

record_numpy() {
	missing /usr/bin/python3 && return
	under_shim /usr/bin/python3 "$sources/trace_numpy.py" &&
		write_trace 60 python3-numpy NumPy \
	'a network trained in single precision, kernels, decompositions, many small products'
}

record_qe() {
	missing pw.x && return
	cat >silicon.in <<-'INPUT'
		&control
		  prefix = 'si', outdir = 'out', pseudo_dir = '/usr/share/espresso/pseudo'
		/
		&system
		  ibrav = 1, celldm(1) = 10.2, nat = 8, ntyp = 1, ecutwfc = 40
		/
		&electrons
		  conv_thr = 1e-8
		/
		ATOMIC_SPECIES
		  Si 28.086 Si.pz-vbc.UPF
		ATOMIC_POSITIONS crystal
		  Si 0.01 0 0
		  Si 0.5 0.5 0
		  Si 0.5 0 0.5
		  Si 0 0.5 0.5
		  Si 0.25 0.25 0.25
		  Si 0.75 0.75 0.25
		  Si 0.75 0.25 0.75
		  Si 0.25 0.75 0.75
		K_POINTS automatic
		  2 1 1 0 0 0
	INPUT
	under_shim pw.x -in silicon.in >out.txt &&
		write_trace 40 quantum-espresso pw.x \
			'the ground state of a cubic cell of silicon, 8 atoms, 40 Ry'
}

record_hpl() {
	missing mpirun.openmpi && return
	missing hpcc && return
	printf '%s\n' 'HPLinpack benchmark input file' trace HPL.out 8 1 3000 1 128 0 1 1 1 16.0 \
		1 1 1 4 1 2 1 1 1 1 1 0 2 64 0 0 1 8 separator 0 0 0 0 >hpccinf.txt
	under_shim mpirun.openmpi -n 1 hpcc &&
		write_trace 300 hpcc hpcc \
	'the HPC Challenge on one rank: HPL of order 3000 in blocks of 128, and its products'
}

record_lammps() {
	missing lmp && return
	cat >salt.in <<-'INPUT'
		units real
		atom_style charge
		lattice custom 5.64 a1 1 0 0 a2 0 1 0 a3 0 0 1 &
		  basis 0 0 0 basis 0.5 0.5 0 basis 0.5 0 0.5 basis 0 0.5 0.5 &
		  basis 0.5 0 0 basis 0 0.5 0 basis 0 0 0.5 basis 0.5 0.5 0.5
		region box block 0 6 0 6 0 6
		create_box 2 box
		create_atoms 1 region box basis 5 2 basis 6 2 basis 7 2 basis 8 2
		mass 1 22.99
		mass 2 35.45
		set type 1 charge 1
		set type 2 charge -1
		displace_atoms all random 0.1 0.1 0.1 87287 units box
		pair_style lj/cut/coul/long 8.0
		pair_modify mix arithmetic
		pair_coeff 1 1 0.0874 2.16
		pair_coeff 2 2 0.0356 4.83
		kspace_style pppm 1.0e-5
		kspace_modify mesh 128 128 128
		velocity all create 300 4928459
		fix run all nve
		run 10
	INPUT
	under_shim lmp -in salt.in -log none &&
		write_trace 200 lammps LAMMPS \
			'ten steps of rock salt, PPPM on 128^3 points, axis by axis'
}

record_gromacs() {
	missing gmx && return
	printf '#include "oplsaa.ff/%s.itp"\n' forcefield spc >topol.top
	printf '%s\n' '[ system ]' water '[ molecules ]' >>topol.top
	printf '%s\n' 'integrator = md' 'dt = 0.0005' 'nsteps = 40' 'coulombtype = PME' \
		'rcoulomb = 0.9' 'rvdw = 0.9' 'fourierspacing = 0.04' 'gen-vel = yes' \
		'gen-seed = 17' >grompp.mdp
	gmx -quiet -nobackup solvate -cs spc216 -box 5 5 5 -o conf.gro -p topol.top >out.txt 2>&1 &&
		gmx -quiet -nobackup grompp >out.txt 2>&1 &&
		under_shim gmx -quiet -nobackup mdrun -ntmpi 1 -ntomp 1 -pin off -nb cpu -pme cpu \
			-notunepme >out.txt 2>&1 &&
		write_trace 240 gromacs GROMACS \
			'forty steps of water, PME on 128^3 points in single precision'
}

# Synthetic: see trace_psi4.py.
record_psi4_small() { python3 "$sources/trace_psi4.py" small 400 >"$folder/$name.trace"; }
record_psi4_fitted() { python3 "$sources/trace_psi4.py" fitted 30 >"$folder/$name.trace"; }

[ $# -gt 0 ] || set -- octave octave_fft r numpy qe hpl lammps gromacs psi4_small psi4_fitted
for name in "$@"; do
	rm -rf "$work/run" "$work/log"
	mkdir "$work/run"
	cd "$work/run"
	if "record_$name"; then
		[ ! -e "$work/log" ] ||
			echo "$name: $(wc -l <"$work/log") calls," \
				"$(wc -c <"$folder/$name.trace") bytes"
	else
		echo "$name: FAIL"
		failed=1
	fi
done
exit $failed
