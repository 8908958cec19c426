#!/bin/sh
# Makes sure that there is a Java for the tests of Spark.
#
# Where there is none that is new enough, one is installed if apt-get can do so without a password;
# otherwise one sentence says that those tests are skipped, and how to get it. The exit code is 0 if
# there is one. JAVA_HOME names its folder; without it java is looked for on the path.
set -eu
. "${0%/*}/packages.sh"

oldest=17
packages='openjdk-17-jre-headless openjdk-21-jre-headless'

found() {
    java=${JAVA_HOME:+$JAVA_HOME/bin/}java
    # The first number of: openjdk version "17.0.15" 2025-04-15
    version=$("$java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p')
    [ "${version:-0}" -ge "$oldest" ]
}

if [ -z "${JAVA_HOME:-}" ] && ! found && apt_can_install; then
    for package in $packages; do
        ! apt_has "$package" || { apt_install "$package" && break; }
    done
fi
if ! found; then
    how=$(way_out openjdk@17 EclipseAdoptium.Temurin.17.JRE "${packages%% *}" java-17-openjdk-headless)
    echo "note: tests of Spark are skipped, for there is no Java $oldest or newer; install it with$how" >&2
    exit 1
fi
