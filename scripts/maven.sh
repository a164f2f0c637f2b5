# shellcheck shell=bash
# Sets `maven`: the wrapper, whose properties pin the version; a Maven 3.9 on the PATH does until the wrapper has its own.

maven=""

# wrapper_home URL: the folder in which mvnw keeps the distribution of an address, named by Java's String.hashCode.
wrapper_home() {
    local rest=$1 name=${1##*/} hash=0 code
    while [ -n "$rest" ]; do
        printf -v code %d "'$rest"
        hash=$(((hash * 31 + code) % 4294967296))
        rest=${rest#?}
    done
    printf '%s/wrapper/dists/%s/%x\n' "${MAVEN_USER_HOME:-${HOME:-}/.m2}" "${name%-bin.zip}" "$hash"
}

# fetch_for_wrapper HOME VERSION: the installed Maven, of any version, fetches the wrapper's distribution. The wrapper
# knows one address only, and neither the mirrors nor the proxies of the user's settings.xml.
fetch_for_wrapper() {
    local home=$1 name=apache-maven-$2 parent=${1%/*} work status=0
    mkdir -p "$parent" && work=$(mktemp -d "$parent/fetch.XXXXXX") || return 1
    attend run_in "$work" mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.9.0:unpack \
        -Dartifact="org.apache.maven:apache-maven:$2:zip:bin" -DoutputDirectory="$work" >&2 || status=1
    # Renamed when complete: the wrapper never sees half a Maven.
    if [ "$status" = 0 ] && [ ! -d "$home" ]; then
        mv "$work/$name" "$home" || status=1
    fi
    rm -rf "$work"
    return "$status"
}

choose_maven() {
    local url version home
    # A start file of the user may name another JVM, which does not know these flags.
    export MAVEN_SKIP_RC=1
    # Without jansi.noreset Maven writes escape codes to a terminal, and before 3.9 to a pipe, too. A build ends before
    # better compiled code, or a parallel collector, pays.
    local collector=-XX:+UseSerialGC
    case ${MAVEN_OPTS:-} in *-XX:+Use*GC*) collector="" ;; esac
    export MAVEN_OPTS="-XX:TieredStopAtLevel=1 $collector ${MAVEN_OPTS:-} --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -Djansi.noreset=true"
    # The wrapper puts this before the whole address of its properties, which fits no mirror.
    unset MVNW_REPOURL
    maven=$ROOT/mvnw
    url=$(sed -n 's/^distributionUrl=//p' "$ROOT/.mvn/wrapper/maven-wrapper.properties")
    home=$(wrapper_home "$url")
    [ ! -d "$home" ] || return 0
    version=${url##*/apache-maven-}
    version=${version%-bin.zip}
    if command -v mvn >/dev/null; then
        case $(mvn --version 2>/dev/null) in
            *"Apache Maven 3.9."*)
                maven=mvn
                return
                ;;
        esac
        say "fetching Maven $version with the Maven on the PATH"
        ! fetch_for_wrapper "$home" "$version" || return 0
    fi
    say "fetching Maven $version with the Maven Wrapper"
    "$maven" --version >/dev/null ||
        die "Maven $version could not be fetched; the lines above say why. Connect to the network, or install a Maven 3.9 and put it on the PATH."
}
