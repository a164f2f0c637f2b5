package dev.parley.testing;

import java.util.UUID;
import java.util.stream.Stream;

/** Settings for every chat platform, so that the server has all of its routes. */
public final class Platforms {
    /**
     * A key of <a href="https://www.rfc-editor.org/rfc/rfc8032">RFC 8032</a>; its private half is published there, and
     * no test uses it.
     */
    private static final String DISCORD_KEY = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

    private Platforms() {}

    /** @param operator the owner of the platforms' threads */
    public static String[] flags(UUID operator, String... more) {
        return Stream.concat(
                        Stream.of(
                                "--operators",
                                operator.toString(),
                                "--slack-signing-secret",
                                "a signing secret that nobody signs with",
                                "--discord-public-key",
                                DISCORD_KEY,
                                "--bluebubbles-url",
                                "http://127.0.0.1:9",
                                "--bluebubbles-password",
                                "a password that nobody asks for",
                                "--bluebubbles-webhook-secret",
                                "a-path-that-nobody-posts-to"),
                        Stream.of(more))
                .toArray(String[]::new);
    }
}
