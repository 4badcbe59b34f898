# numpy_pip.fp - NumPy's wheel, with its own OpenBLAS
# shellcheck source=tests/driver/venv.sh
. "$here/../driver/venv.sh"
venv=$build/tests/numpy_pip
need() { needs_command python3; }
prepare() { why=$(venv_need "$venv" numpy) || skip "$why"; }
program() { start "$venv/bin/python" "$here/numpy_fp.py"; }
