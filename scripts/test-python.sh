# shellcheck shell=bash
# ./parley test-python: tests the Python client with each Agno it supports, and then the OpenAPI document.

. "$ROOT/scripts/build.sh"
. "$ROOT/scripts/test-server.sh"

readonly AGNO_TESTED="2.3.10 2.9.0 3.1.10"
# The status if there is no Python for the tests, or its packages cannot be fetched.
readonly CANNOT_TEST=75
readonly ENVIRONMENTS=$ROOT/target/python

need_python() {
    command -v python3 >/dev/null || die "python3 is needed and is not on the PATH." "$CANNOT_TEST"
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' ||
        die "Python 3.10 or newer is needed." "$CANNOT_TEST"
}

# pip ENVIRONMENT FLAG...
pip() {
    local python=$ENVIRONMENTS/$1/bin/python
    shift
    attend "$python" -m pip install -q --disable-pip-version-check "$@" >&2
}

# ready_packages NAME WHAT: makes an environment with the packages that NAME.txt pins.
ready_packages() {
    local pins=$ROOT/clients/python/tests/$1.txt venv=$ENVIRONMENTS/$1 print
    print=$(cksum <"$pins")
    if [ "$(cat "$venv/.pins" 2>/dev/null || true)" != "$print" ] || ! "$venv/bin/python" -c '' 2>/dev/null; then
        say "fetching $2 and what it needs"
        rm -rf "$venv"
        python3 -m venv "$venv" >&2 ||
            die "python3 cannot make a virtual environment (on Debian: sudo apt-get install python3-venv)." "$CANNOT_TEST"
        pip "$1" --no-compile -r "$pins" ||
            die "the packages of $pins could not be fetched; the lines above say why." "$CANNOT_TEST"
        printf '%s\n' "$print" >"$venv/.pins"
    fi
}

# ready_agno VERSION: makes an environment with that Agno and the client as it is now.
ready_agno() {
    ready_packages "agno-$1" "Agno $1"
    pip "agno-$1" --no-deps --no-build-isolation --force-reinstall "$ROOT/clients/python" ||
        die "the Python client could not be installed."
}

# test_client PYTEST-FLAG...: tests all versions at the same time, since the tests mostly wait for the server.
test_client() {
    local work=$ENVIRONMENTS/server version tester testers="" status=0
    say "starting a server for the tests"
    start_test_server "$work"
    PARLEY_TEST_TOKEN=$(mint --user 6f1d1c1e-7d3a-4c55-9b1e-2f4a8c0d9e11 --name Tester --data "$work/data") ||
        die "no token could be minted for the tests; the lines above say why."
    # Python compiles only what it uses, and nothing lands among the sources.
    export PARLEY_TEST_TOKEN PARLEY_TEST_URL=$url PARLEY_TEST_DATA=$work/data PYTHONPYCACHEPREFIX=$ENVIRONMENTS/compiled
    say "testing the Python client with Agno ${AGNO_TESTED// / and }"
    for version in $AGNO_TESTED; do
        "$ENVIRONMENTS/agno-$version/bin/python" -m pytest -p no:cacheprovider \
            -c "$ROOT/clients/python/pyproject.toml" "$ROOT/clients/python/tests" "$@" >"$work/agno-$version.log" 2>&1 &
        children="$children $! "
        testers="$testers $!"
    done
    for tester in $testers; do
        await "$tester" || status=1
    done
    stop "$server"
    for version in $AGNO_TESTED; do
        say "output of the tests with Agno $version:"
        cat "$work/agno-$version.log"
    done
    return "$status"
}

# The packages first, so that nothing is built in vain.
need_python
for version in $AGNO_TESTED; do
    ready_agno "$version"
done
[ $# -gt 0 ] || ready_packages openapi schemathesis
choose_java JDK
build server
status=0
test_client "$@" || status=1
if [ $# = 0 ]; then
    . "$ROOT/scripts/test-openapi.sh"
    test_openapi || status=1
fi
exit "$status"
