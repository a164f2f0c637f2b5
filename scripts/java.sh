# shellcheck shell=bash
# Finds a Java, and starts and rehearses the server with it. ./parley and the start script of a release read this file;
# both define real_path.

readonly JAVA_NEEDED=25

java_kind=""
java_found=""
java_home=""
java_major=0
java_version=""

# consider_java FOLDER: takes a Java from 25 on, the lowest of all: 25 is the version that Parley is tested with.
consider_java() {
    local home version major
    home=$(cd "$1" 2>/dev/null && pwd -P) || return 0
    case "$java_found," in *" in $home,"*) return 0 ;; esac
    # From the release file: starting each JVM to ask takes seconds.
    version=$(sed -n 's/^JAVA_VERSION="*\([^"]*\).*/\1/p' "$home/release" 2>/dev/null) || return 0
    major=${version#1.}
    major=${major%%[!0-9]*}
    [ -n "$major" ] || return 0
    if [ "$java_kind" = JDK ] && [ ! -x "$home/bin/javac" ]; then
        java_found="$java_found${java_found:+, }$version without a compiler in $home"
        return 0
    fi
    java_found="$java_found${java_found:+, }$version in $home"
    if [ "$major" -ge "$JAVA_NEEDED" ] && { [ -z "$java_home" ] || [ "$major" -lt "$java_major" ]; }; then
        java_home=$home java_major=$major java_version=$version
    fi
}

consider_usual_places() {
    local home on_path
    [ -z "${JAVA_HOME:-}" ] || consider_java "$JAVA_HOME"
    on_path=$(command -v java || true)
    [ -z "$on_path" ] || consider_java "$(dirname "$(real_path "$on_path")")/.."
    for home in \
        /usr/lib/jvm/* \
        /usr/java/* \
        /Library/Java/JavaVirtualMachines/*/Contents/Home \
        "${HOME:-}"/Library/Java/JavaVirtualMachines/*/Contents/Home \
        /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
        /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
        /opt/homebrew/opt/openjdk* \
        "${HOME:-}"/.sdkman/candidates/java/* \
        "${HOME:-}"/.jdks/* \
        "${HOME:-}"/.asdf/installs/java/* \
        "${HOME:-}"/.local/share/mise/installs/java/*; do
        consider_java "$home"
    done
}

consider_given_roots() {
    local roots=$PARLEY_JDK_ROOTS: root home
    while [ -n "$roots" ]; do
        root=${roots%%:*}
        roots=${roots#*:}
        [ -n "$root" ] || continue
        for home in "$root"/*; do
            consider_java "$home"
        done
    done
}

# choose_java KIND: sets JAVA_HOME and java_version. A JDK has a compiler, which building needs; any Java starts what
# was built.
choose_java() {
    java_kind=$1
    if [ -n "${PARLEY_JAVA_HOME:-}" ]; then
        consider_java "$PARLEY_JAVA_HOME"
        [ -n "$java_home" ] || die "PARLEY_JAVA_HOME is $PARLEY_JAVA_HOME, but a $java_kind $JAVA_NEEDED or newer is needed there (found: ${java_found:-no $java_kind})."
    elif [ -n "${PARLEY_JDK_ROOTS:-}" ]; then
        consider_given_roots
    else
        consider_usual_places
    fi
    [ -n "$java_home" ] || die "no $java_kind $JAVA_NEEDED or newer was found (found: ${java_found:-none}); install a $java_kind $JAVA_NEEDED, for example Eclipse Temurin $JAVA_NEEDED, or set PARLEY_JAVA_HOME to the folder of one."
    export JAVA_HOME=$java_home
}

# The free ratios give memory back soon after a rush of viewers.
readonly JVM_FLAGS="-XX:+UseCompactObjectHeaders
    --enable-native-access=ALL-UNNAMED
    --sun-misc-unsafe-memory-access=allow
    -XX:+ExitOnOutOfMemoryError
    -XX:MinHeapFreeRatio=10
    -XX:MaxHeapFreeRatio=25"
readonly HEAP=1g

# The AOT cache of this start; none if empty.
start_cache=""

# start_java CLASS-PATH MAIN-CLASS ARGUMENT...: replaces this script, so that signals reach the JVM itself.
start_java() {
    local class_path=$1 main=$2
    shift 2
    set -f
    # Flags of the user may not go together with the cache. The JVM then starts without, and stays silent on stdout.
    # shellcheck disable=SC2086 # JVM_FLAGS and PARLEY_JAVA_OPTS hold several words.
    exec "$JAVA_HOME/bin/java" \
        $JVM_FLAGS \
        ${start_cache:+"-XX:AOTCache=$start_cache" "-Xlog:aot*=off"} \
        "-Xmx${PARLEY_HEAP:-$HEAP}" \
        ${PARLEY_JAVA_OPTS:-} \
        -cp "$class_path" \
        "$main" "$@"
}

# The JVM of a rehearsal. An agent or a port that the user set for the server's JVM is not for this one.
rehearsal_jvm() {
    local class_path=$1 cache=$2
    unset JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS
    set -f
    # shellcheck disable=SC2086 # JVM_FLAGS holds several words.
    exec "$JAVA_HOME/bin/java" $JVM_FLAGS "-Xmx$HEAP" "-XX:AOTCacheOutput=$cache.new" \
        -cp "$class_path" dev.parley.app.Main rehearse >"$cache.log" 2>&1
}

# rehearse CLASS-PATH CACHE: a JVM lives through a start and leaves a cache of loaded and compiled classes.
rehearse() {
    local cache=$2
    # Renamed when complete: no start ever sees half a cache.
    if attend rehearsal_jvm "$@" && [ -s "$cache.new" ] && mv -f "$cache.new" "$cache"; then
        rm -f "$cache.log"
        return 0
    fi
    rm -f "$cache.new" "$cache.new.config"
    return 1
}

# made_of PRINT: everything that a cache depends on, given the checksum of the jars. The JVM refuses it with any other.
made_of() {
    # shellcheck disable=SC2086 # JVM_FLAGS holds several words.
    echo "$JAVA_HOME" "$(cksum <"$JAVA_HOME/release")" $JVM_FLAGS "$1"
}

# knows_cache CACHE MADE-OF: tells whether this very start has been rehearsed. A failed rehearsal left an empty cache.
knows_cache() {
    [ -f "$1" ] && [ "$(cat "$1.made-of" 2>/dev/null)" = "$2" ]
}

# use_cache CACHE MADE-OF
use_cache() {
    start_cache=""
    if [ "${PARLEY_REHEARSAL:-on}" != off ] && [ -s "$1" ] && knows_cache "$@"; then
        start_cache=$1
    fi
}
