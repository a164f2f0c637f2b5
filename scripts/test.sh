# shellcheck shell=bash
# ./parley test: runs the tests once or many times, on a quiet machine or a busy one.

. "$ROOT/scripts/build.sh"
. "$ROOT/scripts/browser.sh"
. "$ROOT/scripts/reports.sh"

busy="" times=1 only=""
flags=()

read_flags() {
    while [ $# -gt 0 ]; do
        case $1 in
            --busy) busy=yes ;;
            --times) shift && times=${1:-} ;;
            --only)
                shift && only=${1:-}
                case $only in
                    '' | -*) die "--only takes names of test classes, separated by commas." 2 ;;
                esac
                ;;
            *) flags+=("$1") ;;
        esac
        shift || break
    done
    case $times in
        '' | *[!0-9]* | 0*) die "--times takes a number from 1 on." 2 ;;
    esac
    if [ -n "$only" ]; then
        require_classes "$only"
        flags+=("-Dtest=$only" -Dsurefire.failIfNoSpecifiedTests=false -Dspotless.check.skip=true
            -Dconsole.test.skip=true)
    fi
}

# One loop for each core: a test that passes only on a quiet machine has found something. A loop ends with this script,
# also when the script is killed: within a process that bash forked, $$ is the id of the script.
keep_busy() {
    local cores loops=""
    cores=$(getconf _NPROCESSORS_ONLN)
    while [ "$cores" -gt 0 ]; do
        (
            while kill -0 $$ 2>/dev/null; do
                turn=0
                while [ "$turn" -lt 10000 ]; do turn=$((turn + 1)); done
            done
        ) &
        children="$children $! "
        loops="$loops $!"
        cores=$((cores - 1))
    done
    say "keeping every core busy (processes$loops)"
}

# Modules that do not need each other are built side by side (-T 4), since tests mostly wait.
verify() {
    touch "$marker"
    attend run_in "$ROOT" "$maven" -B -T 4 verify "$@" ${flags[@]+"${flags[@]}"}
}

test_once() {
    local missing
    verify || return
    missing=$(not_run "$marker" "$only" | tr '\n' ' ')
    [ -z "$missing" ] || die "not every named class was tested: $missing"
}

# Makes every run, whatever fails; the table tells of all.
test_times() {
    local run=1 started status failed table="" any=0
    while [ "$run" -le "$times" ]; do
        started=$SECONDS status=0
        verify -Dmaven.test.failure.ignore=true || status=$?
        failed=$({ failed_tests "$marker" && not_run "$marker" "$only"; } | tr '\n' ' ')
        [ "$status" = 0 ] && [ -z "$failed" ] || any=1
        [ "$status" = 0 ] || failed="Maven ended with $status. $failed"
        table="$table$(printf '%5d  %7d  %s' "$run" "$((SECONDS - started))" "${failed:-none}")
"
        run=$((run + 1))
    done
    printf '\n  run  seconds  failures\n%s' "$table"
    return "$any"
}

read_flags "$@"
choose_java JDK
need_browser
choose_maven
say "running ${only:-every test} with Java $java_version"
mkdir -p "$ROOT/target"
marker=$ROOT/target/.test-started
[ -z "$busy" ] || keep_busy
# A product that was built from nothing and has passed every test can be started as it is. In a folder that was built
# before, a class may remain whose source is gone.
print=""
[ ${#flags[@]} -gt 0 ] || [ -e "$ROOT/server/target/classes" ] || print=$(sources_print server)
if [ "$times" -gt 1 ]; then test_times; else test_once; fi
[ -z "$print" ] || [ -z "$(product_print server)" ] || note_built server "$print"
