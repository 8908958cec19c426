#!/bin/sh
# Prints the path of a Python 3.11 or newer that can make environments and build extensions.
#
# What is missing, a C++20 compiler included, is installed if apt-get can do so without a password;
# otherwise one sentence says what is missing and how to install it. PYTHON names the interpreter;
# without it python3 is preferred, then the newest.
set -eu
. "${0%/*}/packages.sh"

probe='
import importlib.util, os, sys, sysconfig
if sys.version_info < (3, 11):
    sys.exit(1)
lacks = []
if not all(map(importlib.util.find_spec, ["venv", "ensurepip"])):
    lacks.append("venv")
if not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
    lacks.append("headers")
print(sys.executable, "python%d.%d" % sys.version_info[:2], " ".join(lacks), sep="|", end="")
'

# Sets python (its path), version (such as python3.12) and lacks (words for what is missing):
# of the first complete interpreter, else of the first that is new enough.
look_for_python() {
    python='' version='' lacks=python
    for name in "$@"; do
        found=$("$name" -I -c "$probe" 2>/dev/null) || continue
        if [ -z "$python" ] || [ -z "${found##*|}" ]; then
            IFS='|' read -r python version lacks <<END
$found
END
        fi
        [ -n "$lacks" ] || return 0
    done
}

# Tries the compiler that CMake will take: CXX, else the first of these that exists.
compiler_works() {
    for compiler in "${CXX:-c++}" g++ clang++; do
        command -v "${compiler%% *}" >/dev/null || continue
        echo '#include <span>' | $compiler -std=c++20 -x c++ -fsyntax-only - 2>/dev/null
        return
    done
    return 1
}

look() {
    if [ -n "${PYTHON:-}" ]; then
        look_for_python "$PYTHON"
    else
        look_for_python python3 python3.14 python3.13 python3.12 python3.11
    fi
    compiler_works || lacks="$lacks compiler"
}

newest_in_apt() {
    for name in python3.14 python3.13 python3.12 python3.11; do
        ! apt-cache show "$name-venv" >/dev/null 2>&1 || break
    done
    echo "$name"
}

apt_packages() {
    for word in $lacks; do
        case $word in
            python) newest=$(newest_in_apt) && echo "$newest-dev $newest-venv" ;;
            venv) echo "$version-venv" ;;
            headers) echo "$version-dev" ;;
            compiler) echo build-essential ;;
        esac
    done | xargs
}

missing() {
    for word in $lacks; do
        case $word in
            python) echo 'Python 3.11 or newer' ;;
            venv) echo "the venv and ensurepip modules of $version" ;;
            headers) echo "the C headers of $version" ;;
            compiler) echo 'a C++20 compiler' ;;
        esac
    done | awk 'NR > 1 { printf " and " } { printf "%s", $0 }'
}

how() {
    case $(uname -s)/$lacks in
        Darwin/*compiler) echo ': xcode-select --install' ;;
        MINGW*/*compiler | MSYS*/*compiler) echo ' the Visual Studio Build Tools' ;;
        *) way_out python Python.Python.3.13 "$(apt_packages)" "gcc-c++ ${version:-python3.12}-devel" ;;
    esac
}

look
if [ "$lacks" != "${lacks#python}" ] && [ -n "${PYTHON:-}" ]; then
    echo "error: PYTHON must name a working Python 3.11 or newer, got $PYTHON." >&2
    exit 1
fi
if [ -n "$lacks" ] && apt_can_install; then
    # shellcheck disable=SC2046  # several words are meant
    apt_install $(apt_packages)
    look
fi
if [ -n "$lacks" ]; then
    echo "error: gainful needs $(missing) to be built; install with$(how)" >&2
    exit 1
fi
echo "$python"
