# shellcheck shell=bash
# Builds what is out of date, one build at a time in this folder, and starts what was built.

. "$ROOT/scripts/java.sh"
. "$ROOT/scripts/maven.sh"

readonly CONSOLE_SOURCES="console/build.xml console/build console/src console/public console/index.html
    console/package.json console/package-lock.json console/tsconfig.json console/vite.config.ts clients/typescript/src"
readonly LOCK_WAIT_SECONDS=900

# --- The lock of this folder -----------------------------------------------------------------------------------------

# The lock is a link that names its holder: made and filled in one step.
take_lock() {
    local lock=$ROOT/target/.building holder waited=0
    mkdir -p "$ROOT/target" || die "cannot write in $ROOT."
    until ln -s "$$" "$lock" 2>/dev/null; do
        holder=$(readlink "$lock" || true)
        if [ -z "$holder" ]; then
            [ -w "$ROOT/target" ] || die "cannot write in $ROOT/target."
        elif ! kill -0 "$holder" 2>/dev/null; then
            rm -f "$lock"
            continue
        fi
        [ "$waited" != 0 ] || say "waiting for the build of process ${holder:-unknown}"
        [ "$waited" -lt "$LOCK_WAIT_SECONDS" ] || die "process $holder has been building for $LOCK_WAIT_SECONDS seconds; if it is not, remove $lock."
        sleep 1
        waited=$((waited + 1))
    done
    held_lock=$lock
}

unlock() {
    rm -f "$held_lock"
    held_lock=""
}

# --- What is out of date ---------------------------------------------------------------------------------------------

# The versions that Vite accepts; console/build.xml has the same pattern. Any other Node.js counts as none.
readonly NODE_FITS='^v(20\.(19|[2-9][0-9])|22\.(1[2-9]|[2-9][0-9])|2[3-9]|[3-9][0-9]|[1-9][0-9][0-9])\.'

can_build_console() {
    command -v npm >/dev/null && [[ $(node --version 2>/dev/null) =~ $NODE_FITS ]]
}

# modules_of PRODUCT: the modules that a product is built from; the last one is the product itself.
modules_of() {
    case $1 in
        server) echo protocol postgres console server ;;
        bench) echo protocol postgres sdk testkit console server bench ;;
        release) echo protocol postgres console server release ;;
    esac
}

# sources_print PRODUCT: a checksum of contents, not times. A checkout that goes back in time is a change, and a
# checkout that changes nothing is none. A path that the project does not have counts as empty.
sources_print() (
    cd "$ROOT"
    paths=(pom.xml .mvn)
    for module in $(modules_of "$1"); do
        paths+=("$module/pom.xml" "$module/src/main")
    done
    {
        # shellcheck disable=SC2086 # CONSOLE_SOURCES holds several words.
        find "${paths[@]}" $CONSOLE_SOURCES -type f ! -name '.*' -exec cksum {} + 2>/dev/null | LC_ALL=C sort || true
        # With a Node.js that is installed later, the next start builds the console.
        ! can_build_console || echo "with npm"
    } | cksum
)

# product_print PRODUCT: a checksum of the jar and the names of its libraries, or nothing. It tells of a target folder
# that was cleaned, or built from other sources.
product_print() {
    local target=$ROOT/$1/target
    [ -f "$target/parley-$1.jar" ] && [ -d "$target/lib" ] || return 0
    {
        cksum <"$target/parley-$1.jar"
        LC_ALL=C ls "$target/lib"
    } | cksum
}

# staleness PRODUCT: why the product has to be built; nothing if it is up to date.
staleness() {
    local product=$1 built=$ROOT/$1/target/.built built_sources="" built_product=""
    if [ ! -f "$built" ]; then
        echo "first build"
        return
    fi
    { read -r built_sources && read -r built_product; } <"$built" || true
    if [ -z "$built_product" ] || [ "$(product_print "$product")" != "$built_product" ]; then
        echo "its target folder changed"
    elif [ "$(sources_print "$product")" != "$built_sources" ]; then
        echo "sources changed"
    fi
}

# note_built PRODUCT PRINT: the product was built from the sources with this checksum.
note_built() {
    printf '%s\n%s\n' "$2" "$(product_print "$1")" >"$ROOT/$1/target/.built"
}

# --- Building and starting -------------------------------------------------------------------------------------------

# build PRODUCT: brings a product up to date.
build() {
    local product=$1 profile="" why print module
    [ "$product" != release ] || profile=-Parchive
    [ -n "$(staleness "$product")" ] || return 0
    take_lock
    why=$(staleness "$product")
    if [ -n "$why" ]; then
        choose_maven
        say "building the $product ($why)"
        can_build_console || say "there is no fitting Node.js with npm on the PATH, so the server gets no console; install Node.js 20.19, or 22.12 or later for it"
        # Before the build, so that the next start notices a change made meanwhile.
        print=$(sources_print "$product")
        rm -f "$ROOT/$product/target/.built"
        # Resources and libraries that are gone from the sources would stay on the class path.
        for module in $(modules_of "$product"); do
            # The console's build empties its folder itself, and only if it has something to build.
            [ "$module" = console ] || rm -rf "$ROOT/$module/target/classes" "$ROOT/$module/target/lib"
            rm -f "$ROOT/$module"/target/*.jar
        done
        attend run_in "$ROOT" "$maven" -q -B package -pl "$product" -am ${profile:+"$profile"} \
            -Dmaven.test.skip=true -Djacoco.skip=true >&2 || die "the build failed; the lines above say why."
        [ -n "$(product_print "$product")" ] || die "the build left no parley-$product.jar and lib in $ROOT/$product/target."
        note_built "$product" "$print"
    fi
    unlock
}

class_path() {
    printf '%s\n' "$ROOT/$1/target/parley-$1.jar:$ROOT/$1/target/lib/*"
}

# run PRODUCT MAIN-CLASS ARGUMENT...: replaces this process by the product.
run() {
    local product=$1
    shift
    [ "$product" != server ] || use_cache "$ROOT/server/target/parley.aot" "$(made_of "$(product_print server)")"
    start_java "$(class_path "$product")" "$@"
}
