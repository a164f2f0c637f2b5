package dev.parley.testing;

import java.util.UUID;
import java.util.stream.Stream;

/** Settings with which a server speaks with every chat platform, so that it has all of its routes. */
public final class Platforms {
    private Platforms() {}

    /** @param operator keeps the threads of the platforms */
    public static String[] flags(UUID operator, String... more) {
        return Stream.concat(
                        Stream.of(
                                "--operators", operator.toString(),
                                "--bluebubbles-url", "http://127.0.0.1:9",
                                "--bluebubbles-password", "a password that nobody asks for",
                                "--bluebubbles-webhook-secret", "a-path-that-nobody-posts-to"),
                        Stream.of(more))
                .toArray(String[]::new);
    }
}
