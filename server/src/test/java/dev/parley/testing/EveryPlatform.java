package dev.parley.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Settings under which a server has every chat platform, none of which anybody can speak for. */
public final class EveryPlatform {
    /** A key of RFC 8032's; who knows the other half knows it from there, and no test uses it. */
    private static final String DISCORD_KEY = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

    private EveryPlatform() {}

    /** With these flags in front. */
    public static String[] flags(UUID operator, String... others) {
        List<String> flags = new ArrayList<>(List.of(others));
        flags.addAll(List.of("--operators", operator.toString()));
        flags.addAll(List.of("--discord-public-key", DISCORD_KEY));
        return flags.toArray(String[]::new);
    }
}
