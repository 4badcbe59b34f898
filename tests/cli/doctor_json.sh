# doctor_json.sh - the verdict as JSON, and its marks in both kinds of locales
# SPDX-License-Identifier: Apache-2.0
[ -d "$SIMCUDA" ] || { echo "skipped: there is no simulated CUDA here"; exit 77; }
export EPOCHLY_GPU_CUDA_PATH="$SIMCUDA" COLUMNS=1000
# One line, whose facts are those of the text.
EPOCHLY_GPU_ENABLED=0 EPOCHLY_GPU_LOG="$WORK/a\"b/log" "$GPUSHIM" doctor --json -- "$WANTS" -x >json
echo "status $?"
wc -l <json
# What the kernel allows is that of this machine.
sed -e 's/,"details".*/}/' -e 's/{"name":"residency"[^}]*},//' json
EPOCHLY_GPU_ENABLED=0 "$GPUSHIM" doctor --json "$WANTS" | grep -o '"program":\["file: [^"]*"'
"$GPUSHIM" doctor --json | sed 's/{"name":"residency"[^}]*},//' |
	grep -oE '"verdict":"ok"|"(advice|command)":("[A-Z][^"]*"|null)}'
if command -v python3 >/dev/null; then python3 -m json.tool json >/dev/null && echo "it is JSON"; fi
# The marks follow the locale as setlocale finds it, wherever the output goes.
first() { env "$@" EPOCHLY_GPU_LOG=/dev/null/x EPOCHLY_GPU_ENABLED=0 "$GPUSHIM" doctor | sed -n 's/ .*//;1p;3p;7,8p' | tr '\n' ' '; echo; }
first LC_ALL=C
first LC_ALL=en_US.UTF-8
first -u LC_ALL LC_CTYPE=C.utf8 LANG=C
first -u LC_ALL LANG=de_DE.UTF-8
first -u LC_ALL
# A closed stdout is an error of the tool's; without a terminal nothing is coloured.
"$GPUSHIM" doctor >/dev/full
echo "status $?"
"$GPUSHIM" doctor 2>&1 | grep -c "$(printf '\033')"
