# compare_export.sh - all runs as JSON, whatever the arguments are; files that cannot be written
# SPDX-License-Identifier: Apache-2.0
"$GPUSHIM" compare --runs 3 --export out.json --try 'threshold=1e6' --try 'except="a,b\\c"' \
	-- "$PROBE" calls >report 2>errors
echo "status $?"
sed -E -e 's/"(host|cpu)":"[^"]*"/"\1":TEXT/g' -e 's/"measured":"[0-9T:Z-]+"/"measured":WHEN/' \
	-e 's/(ns":\[)[0-9]+,[0-9]+,[0-9]+/\1THREE/' \
		-e 's/"(ratio|low|high|processors|[a-z_]+_ns)":[0-9.]+/"\1":NUMBER/g' \
	-e 's/"words":".*"/"words":TEXT/' out.json
cat errors
if command -v python3 >/dev/null; then
	python3 -c 'import json; print("sides", len(json.load(open("out.json"))["sides"]))'
else
	echo "sides 3"
fi
exec 2>&1
echo "== CSV, by the option or by the name"
"$GPUSHIM" compare --runs 2 --export runs.CSV --export-csv other --export-json same.json \
	--try policy=never --name 'a "quoted", name' -- "$PROBE" calls >report
awk -F, 'NR == 1 { print; next } { print $1 "," $2 "," $3 ", status " $NF }' runs.CSV
grep -c ',"a ""quoted"", name",[0-9]' runs.CSV
cmp runs.CSV other && grep -o '"name":.*' same.json
echo "== a full disk"
"$GPUSHIM" compare --runs 1 --export /dev/full -- "$PROBE" calls >report
echo "status $?"
grep -c '^result' report
echo "== no such folder, and a folder"
"$GPUSHIM" compare --runs 1 --export nowhere/out.json -- "$PROBE" calls
echo "status $?"
"$GPUSHIM" compare --runs 1 --export "$WORK" -- "$PROBE" calls
echo "status $?"
echo "== nothing came of it: what was there stays, what was not does not come"
echo kept >old.json
"$GPUSHIM" compare --runs 1 --export old.json -- ./nowhere
cat old.json
printf '#!/nowhere/interpreter\n' >script
chmod +x script
"$GPUSHIM" compare --runs 1 --export new.json -- ./script
echo "status $?"
ls new.json 2>/dev/null || echo "no new.json"
echo "== an argument that is no UTF-8"
byte=$(printf '\377')
"$GPUSHIM" compare --runs 1 --ignore-failure --export out.json -- "$PROBE" calls "$byte$(printf '\303\244')" >report
grep '^"command"' out.json
iconv -f UTF-8 -t UTF-8 out.json >/dev/null && echo "all of it is UTF-8"
echo "== no room, as on a full disk: what was there stays, alone"
long=$(head -c 100000 /dev/zero | tr '\0' "$byte")
(
	ulimit -f 1000
	"$GPUSHIM" compare --runs 1 --ignore-failure --warmup-runs 0 --export old.json \
		-- "$PROBE" calls "$long" >report
	echo "status $?"
)
cat old.json
ls old.json*
