# shellcheck shell=bash
# ./parley audit: newer versions of libraries, plugins and packages, and their known weaknesses.

. "$ROOT/scripts/java.sh"
. "$ROOT/scripts/maven.sh"

readonly VERSIONS_PLUGIN=org.codehaus.mojo:versions-maven-plugin:2.19.1
readonly NPM_FOLDERS="console clients/typescript"
readonly SBOM=release/target/sbom.json

# java_updates: "NAME VERSION NEWEST" of each library and plugin, from what Maven prints.
java_updates() {
    "$maven" -B --fail-at-end "$VERSIONS_PLUGIN:display-dependency-updates" "$VERSIONS_PLUGIN:display-plugin-updates" \
        -DprocessDependencyManagementTransitive=false -Dversions.outputLineWidth=200 \
        '-Dmaven.version.ignore=(?i).*[.-](alpha|beta|rc|cr|m|ea|preview|dev).*' |
        sed -n 's/^\[INFO\]  *\([^ ]*:[^ ]*\) \.* *\([^ ]*\) -> \([^ ]*\).*/\1 \2 \3/p' | sort -u
}

# npm_updates FOLDER: the same of each package. npm ends with 1 if there is a newer one.
npm_updates() {
    (cd "$1" && npm outdated --parseable --package-lock-only 2>/dev/null || true) |
        awk -F: '{ n = split($2, wanted, "@"); m = split($4, newest, "@")
            name = $2; sub(/@[^@]*$/, "", name)
            if (wanted[n] != newest[m]) print name, wanted[n], newest[m] }' | sort -u
}

# Weaknesses of the packages in a lock file come from npm, those of a release's libraries from a scanner of its SBOM.
weaknesses() {
    local folder found status=0
    for folder in $NPM_FOLDERS; do
        if found=$(cd "$folder" && npm audit --package-lock-only 2>&1); then
            printf '%s: none known\n' "$folder"
        elif printf '%s\n' "$found" | grep -q 'audit endpoint returned an error\|npm error code E'; then
            printf '%s: the registry tells none\n' "$folder"
        else
            printf '%s:\n%s\n' "$folder" "$found"
            status=1
        fi
    done
    if ! command -v osv-scanner >/dev/null; then
        printf 'libraries of the server: not asked for, since osv-scanner is not on the PATH\n'
    elif [ ! -f "$SBOM" ]; then
        printf 'libraries of the server: not asked for, since there is no %s; call ./parley release\n' "$SBOM"
    else
        osv-scanner scan source --lockfile="$SBOM" || status=1
    fi
    return "$status"
}

choose_java JDK
choose_maven
command -v npm >/dev/null || die "audit needs npm on the PATH."
cd "$ROOT"
row component pinned newest
say "asking for newer versions of libraries and plugins of Java"
updates=$(java_updates) || die "Maven could not be asked; call $maven $VERSIONS_PLUGIN:display-dependency-updates."
for folder in $NPM_FOLDERS; do
    say "asking for newer versions of the packages of $folder"
    updates="$updates
$(npm_updates "$folder")"
done
printf '%s\n' "$updates" | while read -r name version newest; do
    [ -z "$name" ] || row "$name" "$version" "$newest"
done
printf '\nKnown weaknesses\n'
weaknesses
