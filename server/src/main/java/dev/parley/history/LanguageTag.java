package dev.parley.history;

import java.util.IllformedLocaleException;
import java.util.Locale;

/** Checks if a text is a language tag of <a href="https://www.rfc-editor.org/rfc/rfc5646">BCP 47</a>. */
public final class LanguageTag {
    private static final int MAX_LENGTH = 64;

    private LanguageTag() {}

    public static boolean isWellFormed(String text) {
        if (text.length() > MAX_LENGTH) {
            return false;
        }
        try {
            return !new Locale.Builder()
                    .setLanguageTag(text)
                    .build()
                    .getLanguage()
                    .isEmpty();
        } catch (IllformedLocaleException other) {
            return false;
        }
    }
}
