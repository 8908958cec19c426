#!/bin/sh
# Makes sure that there is a Chromium for the tests of pages.
#
# Where there is none, Debian's is installed if apt-get can do so without a password; otherwise one
# sentence says that those tests are skipped, and how to get one. The exit code is 0 if there is
# one. GAINFUL_BROWSER names the program; without it the usual names are tried.
set -eu

found() {
    # shellcheck disable=SC2086  # several words are meant
    for name in ${GAINFUL_BROWSER:-chromium chromium-browser google-chrome}; do
        ! command -v "$name" >/dev/null || return 0
    done
    return 1
}

apt_install() {
    command -v apt-get >/dev/null || return 0
    if [ "$(id -u)" = 0 ]; then
        as_root=
    elif sudo -n true 2>/dev/null; then
        as_root=sudo
    else
        return 0
    fi
    $as_root apt-get update -qq >/dev/null || true
    # Ubuntu's package of that name only fetches a snap, which cannot read files in /tmp.
    apt-cache policy chromium 2>/dev/null | grep -q 'Candidate: [1-9]' || return 0
    echo 'Installing with apt-get: chromium' >&2
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -qq -y --no-install-recommends chromium >/dev/null || true
}

way_out() {
    case $(uname -s) in
        Darwin) echo ': brew install --cask chromium' ;;
        MINGW* | MSYS*) echo ': winget install Google.Chrome' ;;
        *)
            if command -v apt-get >/dev/null; then
                echo ': sudo apt-get install chromium'
            elif command -v dnf >/dev/null; then
                echo ': sudo dnf install chromium'
            else
                echo " this system's package manager"
            fi
            ;;
    esac
}

[ -n "${GAINFUL_BROWSER:-}" ] || found || apt_install
if ! found; then
    echo "note: tests in a browser are skipped, for there is none; install one with$(way_out)" >&2
    exit 1
fi
