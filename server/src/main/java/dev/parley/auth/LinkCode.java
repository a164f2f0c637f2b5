package dev.parley.auth;

import dev.parley.basics.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A code that links a sender on a platform to a user: eight letters and digits that cannot be confused with each other,
 * valid for ten minutes.
 */
public record LinkCode(String raw) {
    static final Duration LIFE = Duration.ofMinutes(10);

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789";
    private static final int LENGTH = 8;
    private static final Pattern MESSAGE =
            Pattern.compile("parley\\s{1,3}link\\s{1,3}([a-z0-9]{8})", Pattern.CASE_INSENSITIVE);

    static LinkCode fresh() {
        StringBuilder code = new StringBuilder();
        for (int i = 0; i < LENGTH; i++) {
            code.append(LETTERS.charAt(RANDOM.nextInt(LETTERS.length())));
        }
        return new LinkCode(code.toString());
    }

    /** The code in a message, if the message consists of {@code parley link} and a code. */
    public static Optional<LinkCode> in(String message) {
        if (message.length() > 100) {
            return Optional.empty();
        }
        Matcher command = MESSAGE.matcher(message.strip());
        return command.matches()
                ? Optional.of(new LinkCode(command.group(1).toUpperCase(Locale.ROOT)))
                : Optional.empty();
    }

    /** The message that redeems the code. */
    public String toMessage() {
        return "parley link " + raw;
    }

    byte[] hash() {
        return Sha256.of(("identity link " + raw).getBytes(StandardCharsets.US_ASCII));
    }

    /** Hides the code. */
    @Override
    public String toString() {
        return "LinkCode[hidden]";
    }
}
