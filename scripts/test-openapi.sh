# shellcheck shell=bash
# Tests the OpenAPI document, for ./parley test-python.

# A Python program that fails unless a URL answers 200 to the token of the tests.
readonly IS_KNOWN='
import os, sys, urllib.request
request = urllib.request.Request(sys.argv[1], headers={"Authorization": "Bearer " + os.environ["PARLEY_TEST_TOKEN"]})
sys.exit(urllib.request.urlopen(request, timeout=30).status != 200)'

# Validates the document, and then calls every operation on a server that has all routes and an operator. The server has
# a secret of its own: without one, a caller on this machine needs no token.
test_openapi() {
    local work=$ENVIRONMENTS/openapi-server document=$ROOT/server/src/main/resources/openapi/openapi.yaml
    local python=$ENVIRONMENTS/openapi/bin/python operator=0b8b7a3e-5f0c-4e0a-9a43-6d2f7c1b9e42
    local secret="for the tests of the document alone" status=0
    say "validating the OpenAPI document"
    "$python" -m openapi_spec_validator --schema 3.1 "$document" || return 1
    say "starting a server for the OpenAPI document"
    start_test_server "$work" --jwt-secret "$secret" --operators "$operator" \
        --slack-signing-secret "nobody signs with this" \
        --discord-public-key d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a \
        --bluebubbles-url http://127.0.0.1:9 --bluebubbles-password "nobody asks for this" \
        --bluebubbles-webhook-secret a-path-that-nobody-posts-to
    PARLEY_TEST_TOKEN=$(mint --user "$operator" --name Operator --jwt-secret "$secret" --data "$work/data") ||
        die "no token could be minted for the OpenAPI document; the lines above say why."
    export PARLEY_TEST_TOKEN
    # Answers of 401 fit the document as well: a run with a refused token would pass without testing anything.
    "$python" -c "$IS_KNOWN" "$url/api/v1/auth/me" ||
        die "the server does not accept the token of the tests; $work/server.log says why."
    say "calling every operation of the OpenAPI document"
    # In its folder, since schemathesis leaves files where it runs.
    attend run_in "$work" "$python" -m schemathesis.cli --config-file "$ROOT/clients/python/tests/openapi.toml" \
        --no-color run "$document" --url "$url" >"$work/schemathesis.log" 2>&1 || status=1
    stop "$server"
    cat "$work/schemathesis.log"
    return "$status"
}
