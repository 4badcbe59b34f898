#compdef gpushim
# gpushim.zsh - completion of gpushim for zsh; the tool itself knows what there is
# SPDX-License-Identifier: Apache-2.0

_gpushim() {
	local line rest tool=${(Q)words[1]}
	local -a candidates space typed asked
	typed=("${(@Q)words[2,CURRENT]}")
	for line in "${(@f)$(_call_program gpushim ${(q)tool} --complete ${(@q)typed})}"; do
		case $line in
		:open) space=(-S '') ;;
		:*) asked+=("$line") ;;
		?*) candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
		esac
	done
	(($#candidates == 0)) || _describe -t gpushim gpushim candidates $space
	for line in $asked; do
		rest=${line#* }
		if [[ $line == ':program '* ]]; then
			shift $((rest + 1)) words
			((CURRENT -= rest + 1))
			_normal
			return
		fi
		[[ -z $rest ]] || compset -P "${(b)rest}"
		case $line in :files*) _files ;; *) _path_files -/ ;; esac
	done
	# Other statuses make zsh offer files where there is no candidate.
	return 0
}

_gpushim "$@"
