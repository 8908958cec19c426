#!/bin/sh
# Makes sure that there is an R for the tests of the page for R users.
#
# Where there is none, Debian's is installed if apt-get can do so without a password; otherwise one
# sentence says that those tests are skipped, and how to get it. The exit code is 0 if there is one.
set -eu
. "${0%/*}/packages.sh"

found() { command -v Rscript >/dev/null; }

if ! found && apt_can_install; then
    ! apt_has r-base-core || apt_install r-base-core
fi
if ! found; then
    how=$(way_out r RProject.R r-base-core R-core)
    echo "note: tests of the page for R users are skipped, for there is no R; install it with$how" >&2
    exit 1
fi
