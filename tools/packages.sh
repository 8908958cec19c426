# How programs come onto a machine: read by the scripts beside this one, which say what they need.

# Whether apt-get can install without a password; if so, it knows what there is now.
apt_can_install() {
    command -v apt-get >/dev/null || return 1
    if [ "$(id -u)" = 0 ]; then
        as_root=
    elif sudo -n true 2>/dev/null; then
        as_root=sudo
    else
        return 1
    fi
    $as_root apt-get update -qq >/dev/null || true
}

apt_has() {
    apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [1-9]'
}

apt_install() {
    echo "Installing with apt-get: $*" >&2
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -qq -y --no-install-recommends "$@" >/dev/null || true
}

# What to type, given the packages as brew, winget, apt-get and dnf call them.
way_out() {
    case $(uname -s) in
        Darwin) echo ": brew install $1" ;;
        MINGW* | MSYS*) echo ": winget install $2" ;;
        *)
            if command -v apt-get >/dev/null; then
                echo ": sudo apt-get install $3"
            elif command -v dnf >/dev/null; then
                echo ": sudo dnf install $4"
            else
                echo " this system's package manager"
            fi
            ;;
    esac
}
