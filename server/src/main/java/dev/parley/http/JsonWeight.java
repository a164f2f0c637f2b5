package dev.parley.http;

/**
 * Estimates the memory of the tree of a JSON document, and of its copies while the request is worked on. One pass over
 * the bytes is enough, before anything is parsed: a value of two bytes may become an object of a hundred.
 */
final class JsonWeight {
    /** An object or array with its table. */
    private static final int CONTAINER = 160;

    /** A member or an item: its entry in the table, and the object of a short value. */
    private static final int VALUE = 64;

    private JsonWeight() {}

    static long of(byte[] json) {
        long containers = 0;
        long values = 0;
        boolean ascii = true;
        boolean inString = false;
        for (int i = 0; i < json.length; i++) {
            byte b = json[i];
            if (inString) {
                if (b == '\\') {
                    i++;
                } else if (b == '"') {
                    inString = false;
                } else if (b < 0) {
                    ascii = false;
                }
                continue;
            }
            switch (b) {
                case '"' -> inString = true;
                case '{', '[' -> containers++;
                case ',', ':' -> values++;
                default -> {}
            }
        }
        // The text once in the tree and once in the stored form; a string with a letter beyond Latin takes two bytes
        // each.
        long text = (ascii ? 2L : 3L) * json.length;
        return text + CONTAINER * containers + VALUE * values;
    }
}
