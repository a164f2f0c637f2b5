package dev.parley.platforms.bluebubbles;

import java.text.Normalizer;

/** Compares texts as the Mac shows them: it takes white space away at both ends, and may compose characters otherwise. */
final class SentText {
    private SentText() {}

    static boolean areSame(String one, String other) {
        return plain(one).equals(plain(other));
    }

    private static String plain(String text) {
        return Normalizer.normalize(text.replace("\r\n", "\n").strip(), Normalizer.Form.NFC);
    }
}
