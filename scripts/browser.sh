# shellcheck shell=bash
# A browser for the tests of the console, which are never left out.

has_browser() {
    local name
    for name in chromium chromium-browser google-chrome google-chrome-stable; do
        ! command -v "$name" >/dev/null || return 0
    done
    [ -x "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" ] ||
        [ -x "/Applications/Chromium.app/Contents/MacOS/Chromium" ]
}

need_browser() {
    if [ -n "${CHROMIUM_PATH:-}" ]; then
        [ -x "$CHROMIUM_PATH" ] || die "CHROMIUM_PATH is $CHROMIUM_PATH, but there is no program."
        return
    fi
    ! has_browser || return 0
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        say "installing chromium by apt-get, since the console is tested in a browser"
        {
            apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends chromium
        } >&2 || true
        ! has_browser || return 0
    fi
    die "the console is tested in a browser, and there is none; install one (on Debian: sudo apt-get install chromium, on macOS: brew install --cask chromium), or set CHROMIUM_PATH to its program."
}
