# shells_zsh.zsh - what zsh offers: a shell at a terminal of zsh/zpty, which notes its candidates
# SPDX-License-Identifier: Apache-2.0
# usage: zsh -f shells_zsh.zsh FOLDER <LINES: prints "LINE => CANDIDATE..." for each line
# FOLDER has _gpushim.
zmodload zsh/zpty
mkfifo "$TMPDIR/shells_done"
# Open all the time: a reader that comes while a writer leaves would see the end of the file.
exec 3<>"$TMPDIR/shells_done"
export SHELLS_FOLDER=$1

cat >"$TMPDIR/shells_setup" <<'ZSH'
PS1= PS2=
fpath=("$SHELLS_FOLDER" $fpath)
autoload -Uz compinit && compinit -u -d "$TMPDIR/zcompdump"
setopt no_list_beep no_beep
zstyle ':completion:*' insert-tab false
# Notes what would be offered; calls that only fill arrays offer nothing.
compadd() {
	local -a found
	case " ${(j: :)@[1,(i)(-|--)]} " in
	*' -'[OAD]' '*) ;;
	*) builtin compadd -O found "$@"; print -rl -- $IPREFIX$^found >>"$TMPDIR/shells_found" ;;
	esac
	builtin compadd "$@"
}
shells_note() {
	_main_complete
	print done >"$TMPDIR/shells_done"
	compstate[insert]= compstate[list]=
}
zle -C shells_note complete-word shells_note
bindkey '^I' shells_note
print ready >"$TMPDIR/shells_done"
ZSH

zpty shell zsh -f -i
zpty -w shell "source ${(q)TMPDIR}/shells_setup"
read -r -u 3 word
while IFS= read -r line; do
	: >"$TMPDIR/shells_found"
	# Ctrl-U empties the line.
	zpty -w -n shell $'\C-u'"${line%_}"$'\t'
	read -r -u 3 word
	print -r -- "$line => ${(j: :)${(fu)"$(<"$TMPDIR/shells_found")"}}"
done
zpty -d shell
