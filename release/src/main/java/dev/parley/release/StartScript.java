package dev.parley.release;

/**
 * The start script of an unpacked release. How Java is found and started is told once, in the script of the sources; that
 * section of it is put in here.
 */
final class StartScript {
    private static final String BEGIN = "# --- Java ---";
    private static final String END = "# --- Maven ---";
    private static final String PLACE = "@java@\n";

    private StartScript() {}

    /**
     * @param own the release's own part, with a place for the section
     * @param sources the script {@code ./parley}
     */
    static String of(String own, String sources) {
        int begin = sources.indexOf(BEGIN);
        int end = sources.indexOf(END);
        if (begin < 0 || end < begin || !own.contains(PLACE)) {
            throw new IllegalStateException("The start scripts do not fit together: a section has lost its heading.");
        }
        return own.replace(PLACE, sources.substring(begin, end).strip() + "\n");
    }
}
