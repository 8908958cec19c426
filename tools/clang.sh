#!/bin/sh
# Makes sure that there is a clang++ with libFuzzer.
#
# Where there is none, one is installed if apt-get can do so without a password; otherwise one
# sentence says what is done without, and how to get it. The exit code is 0 if there is one.
# GAINFUL_CLANG names the program; without it the usual names are tried. Told to --find, it
# prints the one there is, installs nothing and says nothing.
set -eu
. "${0%/*}/packages.sh"

versions='21 20 19 18 17 16 15 14'

# A package of libraries that goes with it is often missing.
fuzzes() {
    echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
        "$1" -x c++ -fsanitize=fuzzer,address,undefined - -o /dev/null 2>/dev/null
}

found() {
    # shellcheck disable=SC2046,SC2086  # several words are meant
    for name in ${GAINFUL_CLANG:-clang++ $(printf 'clang++-%s ' $versions)}; do
        if command -v "$name" >/dev/null && fuzzes "$name"; then
            command -v "$name"
            return 0
        fi
    done
    return 1
}

[ "${1:-}" != --find ] || { found && exit 0 || exit 1; }
if [ -z "${GAINFUL_CLANG:-}" ] && ! found >/dev/null && apt_can_install; then
    for version in $versions; do
        libraries=libclang-rt-$version-dev
        if apt_has "clang-$version" && apt_has "$libraries"; then
            apt_install "clang-$version" "$libraries" && break
        fi
    done
fi
if ! found >/dev/null; then
    how=$(way_out llvm LLVM.LLVM 'clang libclang-rt-dev' 'clang compiler-rt')
    echo "note: inputs are mutated without looking at what they reach, for there is no clang with libFuzzer; install it with$how" >&2
    exit 1
fi
