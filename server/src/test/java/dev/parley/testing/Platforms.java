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
                                "--slack-signing-secret", "a signing secret that nobody signs with"),
                        Stream.of(more))
                .toArray(String[]::new);
    }
}
