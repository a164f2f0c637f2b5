# shellcheck shell=bash
# ./parley serve, token, export, import, verify, bench and prove: builds what is out of date and runs the command.

. "$ROOT/scripts/build.sh"

# Rehearses the start once for each build. A failure here keeps no server from starting.
rehearse_once() {
    local cache=$ROOT/server/target/parley.aot print
    [ "${PARLEY_REHEARSAL:-on}" != off ] || return 0
    print=$(made_of "$(product_print server)")
    ! knows_cache "$cache" "$print" || return 0
    mkdir -p "$ROOT/target" 2>/dev/null && [ -w "$ROOT/target" ] && [ -w "$ROOT/server/target" ] || return 0
    take_lock
    if ! knows_cache "$cache" "$print"; then
        say "rehearsing the start, so that later ones are quick (PARLEY_REHEARSAL=off leaves that out)"
        rm -f "$cache" "$cache.made-of"
        if ! rehearse "$(class_path server)" "$cache"; then
            say "the rehearsal failed, so starts take longer; $cache.log says why."
            : >"$cache" || true
        fi
        printf '%s\n' "$print" >"$cache.made-of" || true
    fi
    unlock
}

choose_java JDK
case $command in
    bench | prove)
        build bench
        say "starting $command with Java $java_version"
        run bench dev.parley.bench.Main "$command" "$@"
        ;;
    *)
        build server
        if [ "$command" = serve ]; then
            rehearse_once
            say "starting the server with Java $java_version"
        fi
        run server dev.parley.app.Main "$command" "$@"
        ;;
esac
