# golden_help.sh - the text of help in 80 columns; every command has a golden text
# SPDX-License-Identifier: Apache-2.0
here=$(dirname "$0")
. "$here/golden.inc"
golden exact "$GPUSHIM" --version
golden exact "$GPUSHIM" --help
for command in $(width_commands); do
	golden exact "$GPUSHIM" "$command" --help
	find "$here" -name 'golden_*.sh' ! -name golden_errors.sh -exec cat {} + |
		grep -qE "^[^#]*golden [a-z]+ .*\"\\\$GPUSHIM\" $command( |\$)" ||
		echo "no golden_*.sh has the text of $command"
done
