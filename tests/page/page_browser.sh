#!/bin/sh
# page_browser.sh - pages in headless Chromium: plots drawn, no error, no request; three screens
# SPDX-License-Identifier: Apache-2.0
# usage: page_browser.sh BUILD HTML_TEST
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

browser=
for name in chromium chromium-browser google-chrome; do
	if [ -z "$browser" ] && command -v "$name" >/dev/null; then
		browser=$name
	fi
done
[ -n "$browser" ] || { echo "skipped: there is no Chromium (Debian: chromium)"; exit 77; }

"$here/page_make.sh" "$build" "$2" "$work"
python3 "$here/page_browser.py" "$browser" "$work"
