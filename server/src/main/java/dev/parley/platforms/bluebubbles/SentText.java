package dev.parley.platforms.bluebubbles;

import java.text.Normalizer;

/**
 * Compares texts regardless of the changes that the Mac makes. The Mac strips white space at both ends, and may compose
 * characters differently.
 */
final class SentText {
    private SentText() {}

    static boolean areSame(String first, String second) {
        return plain(first).equals(plain(second));
    }

    private static String plain(String text) {
        return Normalizer.normalize(text.replace("\r\n", "\n").strip(), Normalizer.Form.NFC);
    }
}
