# shells_fish.fish - what fish offers
# SPDX-License-Identifier: Apache-2.0
# usage: fish --no-config shells_fish.fish FILE <LINES: prints "LINE => CANDIDATE..." for each line
source $argv[1]
while read -l line
    set -l found (complete -C (string replace -r '_$' '' -- $line) | string replace -r '\t.*' '')
    echo "$line => $found"
end
