# shellcheck shell=sh
# venv.sh - virtual environments of Python with wheels, kept in the build folder; to be sourced
# SPDX-License-Identifier: Apache-2.0

# venv_need FOLDER [OPTION OF PIP]... WHEEL...: makes FOLDER such an environment, once. On failure
# it prints the reason and returns false.
venv_need() {
	venv_folder=$1
	shift
	if [ -e "$venv_folder/complete" ]; then
		return 0
	fi
	rm -rf "$venv_folder"
	if ! python3 -m venv "$venv_folder" >/dev/null 2>&1; then
		echo "python3 cannot make a virtual environment"
		return 1
	fi
	if ! "$venv_folder/bin/python" -m pip install \
		--quiet --disable-pip-version-check --no-cache-dir --retries 1 \
		--timeout 20 --only-binary=:all: "$@" >"$venv_folder/pip.log" 2>&1; then
		echo "pip cannot install $*: $(tail -n 1 "$venv_folder/pip.log")"
		return 1
	fi
	touch "$venv_folder/complete"
}
