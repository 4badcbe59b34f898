# explain_docs.sh - the answer in docs/tuning.md equals the printed answer exactly
# SPDX-License-Identifier: Apache-2.0
root=$(dirname "$0")/../..
"$GPUSHIM" explain dgemm 2000 2000 2000 --profile "$root/config/machines/h200.conf" >is
sed -n '/^## Explain/,/^## /p' "$root/docs/tuning.md" | sed -n '/^    here/,/^|/p' |
	sed -e '/^|/d' -e 's/^    //' |
	sed -e '${/^$/d;}' >says
if diff says is; then echo "docs/tuning.md says what is printed"; fi
