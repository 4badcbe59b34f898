# doctor_launcher.sh - a launcher in front of the program: what is looked at, what reaches ranks
# SPDX-License-Identifier: Apache-2.0
export COLUMNS=1000
mkdir bin
for name in mpirun mpiexec.hydra srun; do
	printf '#!/bin/sh\nexec "$LAST"\n' >bin/$name
	chmod +x bin/$name
done
PATH=$WORK/bin:$PATH
ln -s "$WANTS" wants
ln -s "$STATIC" static
# The lines of the verdict, the sentence in front of them, and the section.
examine() {
	echo "== $*"
	"$GPUSHIM" doctor -- "$@" >report
	sed -n -E -e '/^.. (program|launcher)/p' -e '/^program/,$p' report | sed -e '/why:/d' -e '/BLAS:/d'
}
examine mpirun -np 4 --mca btl self,vader -x A ./wants -np 3
examine env A=b nice -n 3 mpirun -np 4 --oversubscribe ./static
examine mpirun -np 2 ./wants : -np 1 ./static
examine mpirun
examine mpirun -np 2 ./nowhere
examine mpirun --app listed -np 3
examine srun -n4 --export=NONE ./wants
examine srun -n4 --export=ALL,A=b ./wants
examine srun --export=NONE "$GPUSHIM" run --log x -- ./wants
examine mpiexec.hydra -genvlist A,B -n 2 ./wants
examine ./bin/missing/srun -n 2 ./wants
SLURM_EXPORT_ENV=A examine srun ./wants
"$GPUSHIM" doctor --json -- mpirun -np 2 ./wants | grep -o '"program":"[^"]*"'
# The other commands look at the program, too.
LAST=./static "$GPUSHIM" run -- mpirun -np 2 ./static 2>&1
LAST=./static "$GPUSHIM" coverage -- mpirun -np 2 ./static 2>&1 | head -n 1
LAST=./static "$GPUSHIM" compare --runs 1 -- mpirun -np 2 ./static 2>&1 | head -n 1
