#!/bin/sh
# Sets up what the Makefile needs, with uv where it is present and with venv and pip where it is not.
#
#   scripts/setup.sh check               is everything here that a build needs? If not, how to get it
#   scripts/setup.sh build VENV          check, create VENV, build sidestep and install it as editable
#   scripts/setup.sh group VENV GROUP    install a dependency group of pyproject.toml into VENV
#
# PYTHON=/path/to/python chooses the interpreter, CXX=/path/to/compiler the compiler.
set -eu
cd "$(dirname "$0")/.."

AT_LEAST_3_11='import sys; sys.exit(sys.version_info < (3, 11))'
lacking=0

say() { printf 'setup: %s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }
lacks() {
    say "$*"
    lacking=1
}

# The command that installs a package: its names for apt, dnf and Homebrew.
install_with() {
    sudo=''
    [ "$(id -u)" = 0 ] || sudo='sudo '
    if have apt || have apt-get; then
        echo "${sudo}apt install $1"
    elif have dnf; then
        echo "${sudo}dnf install $2"
    elif have brew; then
        echo "$3"
    else
        echo "apt install $1 (or your system's equivalent)"
    fi
}

# Sets `python` to an interpreter that is new enough, or to nothing.
find_python() {
    python=''
    for candidate in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11 python}; do
        # A pyenv shim exists even for versions that are not switched on: only running it tells.
        if "$candidate" -c "$AT_LEAST_3_11" >/dev/null 2>&1; then
            python=$candidate
            return
        fi
    done
}

check_python() {
    find_python
    if [ -z "$python" ] && [ -n "${PYTHON:-}" ]; then
        lacks "PYTHON=$PYTHON is not a Python 3.11 or newer: name another one, or none to have it searched."
    elif [ -z "$python" ] && ! have uv; then # uv fetches a Python where there is none
        found=$(python3 --version 2>/dev/null) || found='no Python'
        lacks "Python 3.11 or newer is needed, and there is $found:" \
            "$(install_with 'python3 python3-venv python3-dev' 'python3 python3-devel' 'brew install python')"
    fi
    [ -n "$python" ] || return 0

    # Debian packages carry the name of their interpreter: python3-venv, python3.12-venv.
    case ${python##*/} in
        python3*) package=${python##*/} ;;
        *) package=python3 ;;
    esac
    if ! have uv && ! "$python" -c 'import venv, ensurepip' >/dev/null 2>&1; then
        lacks "$python has no venv module: $(install_with "$package-venv" "$package" 'brew install python')"
    fi
    headers='import os, sys, sysconfig
sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))'
    if ! "$python" -c "$headers" >/dev/null 2>&1; then
        lacks "$python has no C headers (Python.h):" \
            "$(install_with "$package-dev" "$package-devel" 'brew install python')"
    fi
}

check_compiler() {
    compiler=''
    for candidate in ${CXX:-c++ g++ clang++}; do
        if have "$candidate"; then
            compiler=$candidate
            break
        fi
    done
    compiler_command=$(install_with g++ gcc-c++ 'xcode-select --install')
    if [ -z "$compiler" ]; then
        lacks "There is no C++ compiler${CXX:+ $CXX}: $compiler_command"
        return
    fi
    scratch=$(mktemp -d)
    printf '#include <concepts>\n#include <span>\nint main() { return 0; }\n' >"$scratch/probe.cpp"
    if ! "$compiler" -std=c++20 -o "$scratch/probe" "$scratch/probe.cpp" >/dev/null 2>&1; then
        lacks "$compiler does not compile C++20 (GCC 11 or Clang 14 do): $compiler_command"
    fi
    rm -rf "$scratch"
}

check() {
    check_python
    check_compiler
    [ "$lacking" = 0 ] || exit 1
}

create() {
    if "$1/bin/python" -c "$AT_LEAST_3_11" >/dev/null 2>&1; then
        return
    fi
    say "creating the virtual environment $1"
    rm -rf "$1"
    if have uv; then
        uv venv --quiet --python "${python:->=3.11}" "$1"
    else
        "$python" -m venv "$1"
    fi
}

# install VENV ARGUMENT...
install() {
    venv=$1
    shift
    if have uv; then
        uv pip install --quiet --python "$venv/bin/python" "$@"
    else
        # An environment that uv made has no pip of its own.
        "$venv/bin/python" -m pip --version >/dev/null 2>&1 || "$venv/bin/python" -m ensurepip >/dev/null
        # Bytecode is written when it is first needed: most of what is installed never is.
        "$venv/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check "$@"
    fi
}

# What builds is installed beside what is built: in an environment of its own, which has another path every time,
# all bindings would be compiled anew whenever one source has changed.
build() {
    check
    create "$1"
    say "building sidestep in $1 (a minute or two the first time)"
    list=$(declared "$1" build-system requires)
    # shellcheck disable=SC2086  # one word per requirement
    install "$1" $list 'cmake>=3.20.2' 'ninja>=1.10'
    install "$1" --no-build-isolation --editable .
}

# declared VENV TABLE KEY: a list of requirements in pyproject.toml.
declared() {
    "$1/bin/python" -c 'import sys, tomllib
with open("pyproject.toml", "rb") as file:
    print("\n".join(tomllib.load(file)[sys.argv[1]][sys.argv[2]]))' "$2" "$3"
}

# The pip that comes with Python 3.11 and 3.12 does not know dependency groups yet; tomllib reads them.
group() {
    say "installing what '$2' needs into $1"
    list=$(declared "$1" dependency-groups "$2")
    # shellcheck disable=SC2086  # one word per requirement
    install "$1" $list
}

usage() {
    say "usage: setup.sh check | build VENV | group VENV GROUP"
    exit 2
}

case "${1:-}:$#" in
    check:1) check ;;
    build:2) build "$2" ;;
    group:3) group "$2" "$3" ;;
    *) usage ;;
esac
