#!/bin/sh
# Makes sure that there is a Chromium for the tests of pages.
#
# Where there is none, Debian's is installed if apt-get can do so without a password; otherwise one
# sentence says that those tests are skipped, and how to get one. The exit code is 0 if there is
# one. GAINFUL_BROWSER names the program; without it the usual names are tried.
set -eu
. "${0%/*}/packages.sh"

found() {
    # shellcheck disable=SC2086  # several words are meant
    for name in ${GAINFUL_BROWSER:-chromium chromium-browser google-chrome}; do
        ! command -v "$name" >/dev/null || return 0
    done
    return 1
}

if [ -z "${GAINFUL_BROWSER:-}" ] && ! found && apt_can_install; then
    # Ubuntu's package of that name only fetches a snap, which cannot read files in /tmp.
    ! apt_has chromium || apt_install chromium
fi
if ! found; then
    how=$(way_out '--cask chromium' Google.Chrome chromium chromium)
    echo "note: tests in a browser are skipped, for there is none; install one with$how" >&2
    exit 1
fi
