# shellcheck shell=bash disable=SC1090,SC2034 # bash's own variables of completion
# shells_bash.sh - what bash offers: its function of completion with the words that readline makes
# SPDX-License-Identifier: Apache-2.0
# usage: bash --norc shells_bash.sh FILE <LINES: prints "LINE => CANDIDATE..." for each line
. "$1"
# Only a shell at a terminal has these options.
compopt() { :; }

function=$(complete -p gpushim)
function=${function#*-F }
function=${function%% *}

while IFS= read -r line; do
	# Readline splits at blanks and at "=", which is a word of its own.
	typed=${line//=/ = }
	read -ra COMP_WORDS <<<"$typed"
	last=${line##* }
	[ "${COMP_WORDS[-1]}" != _ ] || COMP_WORDS[-1]='' last=''
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	COMPREPLY=()
	"$function" gpushim "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
	# Readline puts a candidate in place of what follows the last "=".
	echo "$line => ${COMPREPLY[*]/#/${last%"${last##*=}"}}"
done
