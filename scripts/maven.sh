# shellcheck shell=bash
# Finds or fetches a Maven.

readonly MAVEN_PINNED=3.9.16

maven=""

maven_on_path_version() {
    mvn --version 2>/dev/null | sed -n 's/.*Apache Maven \([0-9][0-9.]*\).*/\1/p' | head -n 1
}

# Fetches the pinned Maven with an older one, so that the user's own mirrors and proxies are used.
fetch_pinned_maven() {
    local home=$1 parent work status=0
    parent=$(dirname "$home")
    mkdir -p "$parent" || return 1
    work=$(mktemp -d "$parent/fetch.XXXXXX") || return 1
    (
        cd "$work" &&
            mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy \
                -Dartifact="org.apache.maven:apache-maven:$MAVEN_PINNED:zip:bin" -DoutputDirectory="$work" &&
            "$JAVA_HOME/bin/jar" xf "apache-maven-$MAVEN_PINNED-bin.zip" &&
            chmod +x "apache-maven-$MAVEN_PINNED/bin/mvn"
    ) >&2 || status=1
    # Renamed when complete: a half unpacked Maven is never seen.
    if [ "$status" = 0 ] && [ ! -d "$home" ]; then
        mv "$work/apache-maven-$MAVEN_PINNED" "$home" || status=1
    fi
    rm -rf "$work"
    return "$status"
}

choose_maven() {
    local pinned="${HOME:-/nowhere}/.m2/parley/apache-maven-$MAVEN_PINNED" version=""
    # A start file of the user's could name another JVM, which would not know these flags.
    export MAVEN_SKIP_RC=1
    # Without jansi.noreset every Maven writes four escape codes to a terminal, an older one also to a pipe.
    # A build is over before compiling better, or collecting in parallel, pays.
    local collector=-XX:+UseSerialGC
    case ${MAVEN_OPTS:-} in *-XX:+Use*GC*) collector="" ;; esac
    export MAVEN_OPTS="-XX:TieredStopAtLevel=1 $collector ${MAVEN_OPTS:-} --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -Djansi.noreset=true"
    if [ -x "$pinned/bin/mvn" ]; then
        maven=$pinned/bin/mvn
        return
    fi
    if command -v mvn >/dev/null; then
        version=$(maven_on_path_version || true)
    fi
    case $version in
        3.9 | 3.9.* | 3.[1-9][0-9]*)
            maven=$(command -v mvn)
            return
            ;;
        ?*)
            say "fetching Maven $MAVEN_PINNED (the one on the PATH is $version)"
            if fetch_pinned_maven "$pinned"; then
                maven=$pinned/bin/mvn
                return
            fi
            say "Maven $version could not fetch Maven $MAVEN_PINNED; trying the Maven Wrapper"
            ;;
        *)
            say "no Maven on the PATH; using the Maven Wrapper"
            ;;
    esac
    maven=$ROOT/mvnw
}
