package dev.parley.http;

/**
 * Estimates the memory that a JSON document's tree and its copies take while the request is worked on. One pass over
 * the bytes is enough. The estimate comes before the parser, because a value of two bytes may become an object of a
 * hundred bytes.
 */
final class JsonWeight {
    /** The bytes of an object or array with its table. */
    private static final int CONTAINER = 160;

    /** The bytes of a field or an item: its entry in the table, and the object of a short value. */
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
        // The text is held once in the tree and once in the stored form. In the tree, a string with a letter beyond
        // Latin takes two bytes per character.
        long text = (ascii ? 2L : 3L) * json.length;
        return text + CONTAINER * containers + VALUE * values;
    }
}
