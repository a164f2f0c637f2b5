package dev.parley.http;

import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Gives each request an id for logs and answers: the client's own id if it is harmless, or else a short random id. */
final class RequestIds {
    private static final int MAX_LENGTH = 64;
    private static final int OWN_LENGTH = 12;
    private static final String ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

    private RequestIds() {}

    static String choose(@Nullable String offered) {
        return offered != null && isHarmless(offered) ? offered : random();
    }

    private static String random() {
        long bits = ThreadLocalRandom.current().nextLong();
        char[] id = new char[OWN_LENGTH];
        for (int i = 0; i < OWN_LENGTH; i++) {
            id[i] = ALPHABET.charAt((int) (bits >>> (5 * i)) & 31);
        }
        return new String(id);
    }

    private static boolean isHarmless(String id) {
        if (id.isEmpty() || id.length() > MAX_LENGTH) {
            return false;
        }
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            boolean fine = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
            if (!fine && c != '.' && c != '_' && c != '-') {
                return false;
            }
        }
        return true;
    }
}
