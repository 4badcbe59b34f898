# shellcheck shell=bash
# gpushim.bash - completion of gpushim for bash; the tool itself knows what there is
# SPDX-License-Identifier: Apache-2.0

# Bash splits words at "=": this joins them again. _gpushim_places holds where each begins.
_gpushim_join() {
	local i last
	_gpushim_words=() _gpushim_places=()
	for ((i = 1; i <= COMP_CWORD; i++)); do
		last=$((${#_gpushim_words[@]} - 1))
		if ((last >= 0)) && [[ ${COMP_WORDS[i]} == =* ||
			(${COMP_WORDS[i - 1]} == = && ${_gpushim_words[last]} == *=) ]]; then
			_gpushim_words[last]+=${COMP_WORDS[i]}
		else
			_gpushim_words+=("${COMP_WORDS[i]}")
			_gpushim_places+=("$i")
		fi
	done
}

# _gpushim_program PLACE: the command line that begins with word PLACE of COMP_WORDS.
_gpushim_program() {
	if declare -F _command_offset >/dev/null; then
		_command_offset "$1"
		return
	fi
	compopt -o filenames 2>/dev/null
	if ((COMP_CWORD == $1)); then
		mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -c -- "$2"; compgen -f -- "$2")
	else
		mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$2")
	fi
}

_gpushim() {
	local _gpushim_words _gpushim_places word cut='' line kind rest
	_gpushim_join
	word=${_gpushim_words[${#_gpushim_words[@]} - 1]}
	# Bash replaces what follows the last "=" only.
	if [[ $COMP_WORDBREAKS == *=* && $word == *=* ]]; then
		cut=${word%"${word##*=}"}
	fi
	COMPREPLY=()
	while IFS= read -r line; do
		kind=${line%% *} rest=${line#* }
		case $kind in
		:files | :folders)
			compopt -o filenames 2>/dev/null
			[[ $kind == :files ]] && kind=-f || kind=-d
			mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(
				compgen "$kind" -- "${word#"$rest"}")
			;;
		:program) _gpushim_program "${_gpushim_places[rest]}" "$word" ;;
		:open) compopt -o nospace 2>/dev/null ;;
		*)
			line=${line%%$'\t'*}
			COMPREPLY+=("${line#"$cut"}")
			;;
		esac
	done < <("$1" --complete "${_gpushim_words[@]}" 2>/dev/null)
}

complete -F _gpushim gpushim
