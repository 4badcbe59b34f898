# options_everywhere.sh - each option of the shim is in help, completions, manual page and docs
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
"$GPUSHIM" show options | sed -n 's/^\([a-z_]*\) = .*/\1/p' >keys
page=$(dirname "$0")/../../docs
count=0
while read -r key; do
	count=$((count + 1))
	option=--$(echo "$key" | tr _ -)
	for command in run compare explain tune; do
		case $command$key in comparecounters) continue ;; esac
		"$GPUSHIM" "$command" --help | grep -qE -e "$option(,| |\$)" ||
			echo "$command --help has no $option"
		"$GPUSHIM" --complete "$command" -- | grep -q -e "^$option" ||
			echo "$command $option is not completed"
	done
	grep -qF "\`$key\`" "$page/configuration.md" || echo "configuration.md has no $key"
	grep -qF "$key" "$page/gpushim.conf.5" || echo "gpushim.conf(5) has no $key"
	# The default as show prints it is taken.
	value=$("$GPUSHIM" show options | sed -n "s/^$key = \(\"\"\|[^ ]*\).*/\1/p" | tr -d '"')
	"$GPUSHIM" run --quiet "$option" "$value" true || echo "run $option '$value': status $?"
done <keys
[ "$count" -gt 20 ] || echo "show options has $count options"
