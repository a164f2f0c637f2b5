# shellcheck shell=bash
# A server for tests in Python, with its own settings and data.

# The start of the server sets both: its address, and its process.
url=""
server=""

# Unsets every setting of the server in the user's environment. A secret or a configuration file of the user would make
# the test server refuse the tests' tokens.
forget_settings() {
    local name
    for name in $(compgen -v PARLEY_); do
        case $name in
            PARLEY_JAVA_HOME | PARLEY_JDK_ROOTS | PARLEY_JAVA_OPTS | PARLEY_HEAP | PARLEY_REHEARSAL) ;;
            *) unset "$name" ;;
        esac
    done
}

# mint FLAG...: prints a token of the test server.
mint() {
    (
        forget_settings
        run server dev.parley.app.Main token --ttl 2h "$@"
    )
}

# test_server FOLDER FLAG...
test_server() {
    local folder=$1
    shift
    forget_settings
    export PARLEY_RATE_LIMITS=off
    # The server lives for a minute: compiling well takes longer than it saves.
    PARLEY_JAVA_OPTS="-XX:TieredStopAtLevel=1 ${PARLEY_JAVA_OPTS:-}"
    run server dev.parley.app.Main serve --port 0 --data "$folder/data" "$@"
}

# start_test_server FOLDER FLAG...: starts a server on a free port, with its data in FOLDER.
start_test_server() {
    local folder=$1 waited=0
    rm -rf "$folder"
    mkdir -p "$folder"
    test_server "$@" >"$folder/server.log" 2>&1 &
    server=$!
    children="$children $server "
    url=""
    while [ -z "$url" ]; do
        kill -0 "$server" 2>/dev/null && [ "$waited" -lt 240 ] || {
            tail -n 20 "$folder/server.log" >&2
            die "the server did not start; $folder/server.log says why."
        }
        sleep 0.5
        waited=$((waited + 1))
        url=$(sed -n 's/^Parley is listening on //p' "$folder/server.log" | head -n 1)
    done
}
