# shellcheck shell=bash
# ./parley test-latest: tests with the latest versions of third-party clients. They are resolved anew each time, so the
# same sources may pass today and fail tomorrow.

. "$ROOT/scripts/java.sh"
. "$ROOT/scripts/maven.sh"

# The folders of clients/conformance, each with the tests that run its clients.
readonly CLIENT_TESTS="agui:AguiClientsTest,AguiLossTest,AguiRemoteTest
    eventsource:EventSourceTest
    mcp:McpServersTest,HostileServersTest,ModelRealToolsTest
    models:ScriptedModelsTest
    supabase:SupabaseClientTest"

# client_result TEST,...: "passed", or the tests that did not pass.
client_result() {
    local each report result=""
    for each in ${1//,/ }; do
        report=$(find "$ROOT/server/target/surefire-reports" -name "TEST-*.$each.xml" 2>/dev/null | head -n 1)
        if [ -z "$report" ]; then
            result="$result, $each did not run"
        elif ! grep -q '<testsuite .* errors="0" .*failures="0"' "$report"; then
            result="$result, $each failed"
        fi
    done
    result=${result#, }
    printf '%s\n' "${result:-passed}"
}

choose_java JDK
choose_maven
say "testing with the latest clients that the registry has, with Java $java_version"
tests=""
for each in $CLIENT_TESTS; do
    tests="$tests${tests:+,}${each#*:}"
done
rm -rf "$ROOT"/server/target/node/*-latest "$ROOT/server/target/surefire-reports"
export PARLEY_CLIENTS=latest
attend run_in "$ROOT" "$maven" -B test -pl server -am "-Dtest=$tests" -Dsurefire.failIfNoSpecifiedTests=false \
    -Dmaven.test.failure.ignore=true -Djacoco.skip=true "$@" >&2 ||
    die "the tests could not be run; the lines above say why."

status=0
row client version result
for each in $CLIENT_TESTS; do
    folder=${each%%:*}
    versions=$ROOT/server/target/node/$folder-latest/versions
    result=$(client_result "${each#*:}")
    [ "$result" = passed ] || status=1
    if [ ! -f "$versions" ]; then
        row "$folder" - "$result"
        continue
    fi
    while read -r name version; do
        row "$name" "$version" "$result"
    done <"$versions"
done
exit "$status"
