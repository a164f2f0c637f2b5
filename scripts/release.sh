# shellcheck shell=bash
# ./parley release: builds everything that an archive holds, and packs it.

. "$ROOT/scripts/build.sh"

[ $# = 0 ] || die "release takes no flags." 2
can_build_console || die "a release has the console, and there is no fitting Node.js with npm on the PATH; install Node.js 20.19, or 22.12 or later."
choose_java JDK
build release
say "packing the release"
run release dev.parley.release.Main "$ROOT"
