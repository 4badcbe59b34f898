#!/bin/sh
# page_scratch.sh - runs a test in a folder of its own, which the test must leave empty
# SPDX-License-Identifier: Apache-2.0
# usage: page_scratch.sh TEST
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
"$1" "$work"
left=$(find "$work" -mindepth 1)
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
