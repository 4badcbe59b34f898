# gpushim.fish - completion of gpushim for fish; the tool itself knows what there is
# SPDX-License-Identifier: Apache-2.0

function __gpushim_complete
    set -l typed (commandline -ct)
    set -l words (commandline -opc)
    set -l tool (string replace -r '^~/' "$HOME/" -- $words[1])
    set -e words[1]
    for line in ($tool --complete $words "$typed" 2>/dev/null)
        set -l rest (string replace -r '^\S+ ' '' -- $line)
        switch $line
            case ':files *'
                set -l name (string replace -- "$rest" '' "$typed")
                for path in (__fish_complete_path "$name")
                    printf '%s%s\n' "$rest" $path
                end
            case ':folders *'
                set -l name (string replace -- "$rest" '' "$typed")
                for path in (__fish_complete_directories "$name")
                    printf '%s%s\n' "$rest" $path
                end
            case ':program *'
                # Words count from 1 here.
                set -l program $words "$typed"
                set -l first (math $rest + 1)
                complete -C (string join ' ' -- (string escape -- $program[$first..-2]) "$typed")
            case ':open'
            case '*'
                printf '%s\n' $line
        end
    end
end

complete -c gpushim -f -a '(__gpushim_complete)'
