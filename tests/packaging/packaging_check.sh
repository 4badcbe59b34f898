#!/bin/sh
# packaging_check.sh - debian/, packaging/ and CITATION.cff have the version and are well formed
# SPDX-License-Identifier: Apache-2.0
# usage: packaging_check.sh SOURCE BUILD
set -eu
source=$(cd "$1" && pwd) build=$(cd "$2" && pwd)
# shellcheck source=tests/driver/steps.sh
. "$source/tests/driver/steps.sh"
checks=0

# shellcheck disable=SC2317 # functions are called by check
# check TOOL WHAT COMMAND...: the command ends with 0; left out where there is no such tool.
check() {
	tool=$1 what=$2
	shift 2
	command -v "$tool" >/dev/null || { echo "left out: $what, no $tool"; return; }
	"$@" >"$work/out" 2>&1 || { fail "$what"; tail -n 20 "$work/out"; }
	checks=$((checks + 1))
}

version=$("$build/gpushim" --version | sed 's/.* //')
# version PATTERN FILE: the one line of this pattern has the project's version.
version() {
	found=$(sed -n "s/$1/\\1/p" "$source/$2" | head -n 1)
	[ "$found" = "$version" ] || fail "$2 says version '$found', the tool '$version'"
}
version '^gpushim (\([0-9.]*\)) .*' debian/changelog
version '^Version: *\(.*\)' packaging/gpushim.spec
version '^ *version("\([0-9.]*\)".*' packaging/spack/gpushim/package.py
version '^  version: "\(.*\)"' packaging/conda/meta.yaml
version "^version = '\\(.*\\)'" "packaging/easybuild/gpushim-$version.eb"
version '^version: \(.*\)' CITATION.cff
version '^whatis("Version: \(.*\)")' packaging/modules/gpushim.lua
version '^module-whatis .* version \([0-9.]*\)"' packaging/modules/gpushim.tcl

cd "$source"
# An entry whose form is wrong is a warning.
parse_changelog() {
	dpkg-parsechangelog -l debian/changelog >"$work/changelog" 2>&1
	! grep -i warning "$work/changelog"
}
check dpkg-parsechangelog debian/changelog parse_changelog
make_rules() {
	make -n -f debian/rules clean | grep -q 'dh clean'
}
check make debian/rules make_rules
check rpmspec packaging/gpushim.spec rpmspec -P packaging/gpushim.spec
check python3 "Spack's recipe" python3 -c "import ast
tree = ast.parse(open('packaging/spack/gpushim/package.py').read())
assert [node.name for node in tree.body if isinstance(node, ast.ClassDef)] == ['Gpushim']"
check python3 "EasyBuild's recipe" python3 -c "
names = {'SYSTEM': {}}
exec(open('packaging/easybuild/gpushim-$version.eb').read(), names)
assert {'easyblock', 'name', 'version', 'homepage', 'description', 'toolchain', 'sources',
        'sanity_check_paths', 'moduleclass'} <= set(names)"
if python3 -c 'import yaml' 2>/dev/null; then
	# What conda replaces before it reads the file, {{ ... }}, is no YAML.
	check python3 "conda's recipe" python3 -c "import re, yaml
text = open('packaging/conda/meta.yaml').read()
recipe = yaml.safe_load(re.sub(r'\{\{.*?\}\}', 'word', text))
assert {'package', 'source', 'build', 'requirements', 'test', 'about'} <= set(recipe)"
	check python3 CITATION.cff python3 -c "import yaml
assert {'cff-version', 'message', 'title', 'authors'} <= set(yaml.safe_load(open('CITATION.cff')))"
else
	echo "left out: conda's recipe and CITATION.cff, no python3-yaml"
fi
# Loads the module: the path of the library is set.
load_module() {
	PATH=/usr/bin:/bin:$PATH modulecmd sh load "$source/packaging/modules/gpushim.tcl" 2>&1 |
		grep -q 'GPUSHIM_PRELOAD=/opt/gpushim/lib/libgpushim.so'
}
modulecmd=$(command -v modulecmd || ls /usr/lib/*/modulecmd* 2>/dev/null | head -n 1 || :)
check "${modulecmd:-modulecmd}" packaging/modules/gpushim.tcl load_module
lua=$(command -v luac5.4 luac5.3 luac | head -n 1 || :)
check "${lua:-luac}" packaging/modules/gpushim.lua "${lua:-luac}" -p packaging/modules/gpushim.lua

[ "$failed" -ne 0 ] || echo "ok   version $version, $checks checks"
exit "$failed"
