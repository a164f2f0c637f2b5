# shellcheck shell=bash
# Test classes by name, and what the reports of a test run tell of them.

. "$ROOT/scripts/nearest.sh"

# reports MARKER NAME: the reports of test classes that are newer than a file. Another run in the folder may remove
# files meanwhile; that is no failure of this run.
reports() {
    find "$ROOT"/*/target/surefire-reports -name "TEST-$2.xml" -newer "$1" 2>/dev/null || true
}

# failed_tests MARKER: the failed tests in the reports that are newer than a file, one a line.
failed_tests() {
    local report
    reports "$1" '*' | while IFS= read -r report; do
        awk '
            /<testcase / {
                name = $0; sub(/.* name="/, "", name); sub(/".*/, "", name)
                class = $0; sub(/.* classname="/, "", class); sub(/".*/, "", class)
                sub(/.*\./, "", class)
            }
            /<(failure|error)[ \/>]/ { print class "." name }' "$report" 2>/dev/null || true
    done | LC_ALL=C sort -u
}

# only_classes ONLY: the classes that it names, one a line, without packages and methods. Patterns and exclusions are
# left to Maven.
only_classes() {
    local each
    for each in ${1//,/ }; do
        each=${each%%#*}
        case $each in
            *[!A-Za-z0-9_.\$]*) ;;
            *) printf '%s\n' "${each##*.}" ;;
        esac
    done
}

# require_classes ONLY: refuses a name that no test class has. Maven accepts it as long as another class exists.
require_classes() {
    local class sources
    sources=$({ find "$ROOT"/*/src/test/java -name '*.java' 2>/dev/null || true; } | sed 's|.*/||; s|\.java$||')
    for class in $(only_classes "$1"); do
        printf '%s\n' "$sources" | grep -q -x -F -e "${class%%\$*}" ||
            die "there is no test class \"$class\"; did you mean \"$(printf '%s\n' "$sources" | { grep Test || true; } | nearest "$class")\"?" 2
    done
}

# not_run MARKER ONLY: the named classes that have no report newer than a file, one a line.
not_run() {
    local class
    for class in $(only_classes "$2"); do
        [ -n "$(reports "$1" "*$class*" | grep -E "[-.]${class//\$/\\\$}(\\\$.*)?\.xml\$" || true)" ] || printf '%s did not run\n' "$class"
    done
}
