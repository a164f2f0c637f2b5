# shellcheck shell=bash
# Messages, and background processes that end with the script. ./parley and the start script of a release read this
# file.

say() {
    printf 'parley: %s\n' "$*" >&2
}

# die MESSAGE [STATUS]
die() {
    say "$1"
    exit "${2:-1}"
}

# row NAME VERSION TEXT: a row of a table of clients or libraries.
row() {
    printf '%-42s %-12s %s\n' "$@"
}

# Background processes, each as " ID ", and the lock file that this script holds. Both go when the script ends.
children=""
held_lock=""

clean_up() {
    local process
    for process in $children; do
        kill -TERM "$process" 2>/dev/null || true
    done
    for process in $children; do
        wait "$process" 2>/dev/null || true
    done
    [ -z "$held_lock" ] || rm -f "$held_lock"
}

trap clean_up EXIT
trap 'exit 143' INT TERM HUP

# await PROCESS: waits for a background process and returns its status.
await() {
    local status=0
    wait "$1" || status=$?
    children=${children/ $1 /}
    return "$status"
}

# attend COMMAND...: runs a command in a process of its own and returns its status. A signal that reaches only this
# script ends the command, too.
attend() {
    "$@" &
    children="$children $! "
    await $!
}

# run_in FOLDER COMMAND...: replaces the process, so it is called by attend only.
run_in() {
    cd "$1" && shift && exec "$@"
}

# stop PROCESS: ends a background process.
stop() {
    kill -TERM "$1" 2>/dev/null || true
    await "$1" 2>/dev/null || true
}
