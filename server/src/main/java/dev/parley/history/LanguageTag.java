package dev.parley.history;

import java.util.IllformedLocaleException;
import java.util.Locale;

/** Tells whether a text names a language as BCP 47 does. */
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
