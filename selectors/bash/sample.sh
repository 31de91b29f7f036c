#!/usr/bin/env bash
# Packs a folder's files: every construct that the data of Bash speaks of.

set -euo pipefail
source ./lib/common.sh
. "$HOME/.packrc"

readonly VERSION="1.2" LIMIT=10
declare -A sizes=([small]=1 [large]=100)
export PACK_HOME=${PACK_HOME:-/var/pack}
names=(alpha "beta gamma" 'delta')
total=0
total+=1
names[3]=omega

# Says what is wrong, and ends.
# Nothing is left behind.
die() {
    local message=$1 status=${2:-1}
    printf '%s: %s\n' "$0" "$message" >&2
    exit "$status"
}

function usage {
    cat <<EOF
Usage: $0 [-v] FILE
  home: $PACK_HOME
EOF
}

function sum() (
    total=0
    for size in "${sizes[@]}"; do
        ((total += size))
    done
    for ((i = 0; i < LIMIT; i++)); do
        [[ $i -eq 3 ]] && continue
        if ((i > 5)); then
            break
        fi
    done
    echo "$total"
)

pack_file() {
    local file="$1"
    local -r target=$(mktemp -d)
    # A helper that no one else needs.
    retry() {
        until "$@"; do
            sleep 1
        done
    }
    if [ ! -f "$file" ]; then
        return 1
    elif [[ "$file" =~ ^(.*)\.txt$ ]]; then
        retry gzip -9 "$file" > "$target/out" 2>&1
    else
        ! false || { echo none; }
    fi
    case "$file" in
        *.gz | *.zip) echo packed ;;
        *) LC_ALL=C sort "$file" | uniq -c | head -n 5 ;;
    esac
    diff <(sort "$file") <(sort "$target") || true
    unset -v file
    return 0
}

_count() {
    [ "$1" -le 0 ] || _count $(($1 - 1))
    local depth=$#
    kill $depth 2> /dev/null
}

test_sum() { sum "$@"; }

while getopts "v:" option; do
    case $option in
        v) verbose=$((OPTARG * 2)) ;;
        ?) usage ;;
    esac
done
shift $((OPTIND - 1))
select choice in a b; do :; done
alias ll='ls -l'
test -z "${verbose:-}" || echo $'\tlevel' "$verbose"
trap 'rm -f "$tmp"' EXIT
pack_file "$1"
