#!/bin/sh
# page_html.sh - runs the tests of what is written, in a folder of their own
# SPDX-License-Identifier: Apache-2.0
# usage: page_html.sh HTML_TEST
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
"$1" "$work"
left=$(find "$work" -mindepth 1)
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
