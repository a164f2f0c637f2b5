package dev.parley.app.config;

import dev.parley.outbound.Destination;
import java.net.URI;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The chat platforms of the server; a platform that is not configured is null. */
public record PlatformSettings(
        @Nullable Slack slack,
        @Nullable Discord discord,
        @Nullable BlueBubbles blueBubbles,
        Map<String, URI> relays) {
    private static final Pattern DISCORD_KEY = Pattern.compile("[0-9a-fA-F]{64}");

    /** @param botToken the token that posts to Slack; null if the server only receives from Slack */
    public record Slack(Secret signingSecret, @Nullable Secret botToken, URI api, Set<Destination> fileHosts) {}

    /** @param botToken the token that posts to Discord; null if the server only receives from Discord */
    public record Discord(String publicKey, @Nullable Secret botToken, URI api, Set<Destination> fileHosts) {}

    public record BlueBubbles(URI url, Secret password, Secret webhookSecret) {}

    static PlatformSettings read(GivenSettings given) {
        PlatformSettings settings = new PlatformSettings(
                slack(given),
                discord(given),
                blueBubbles(given),
                Objects.requireNonNullElse(given.find(Settings.RELAY_URLS), Map.of()));
        for (String source : Set.of("slack", "discord", "bluebubbles")) {
            if (settings.relays.containsKey(source)) {
                throw new ConfigException("relay-urls names " + source + ", which has settings of its own.");
            }
        }
        return settings;
    }

    private static @Nullable Slack slack(GivenSettings given) {
        Secret signing = given.find(Settings.SLACK_SIGNING_SECRET);
        Secret token = given.find(Settings.SLACK_BOT_TOKEN);
        if (signing == null) {
            requireUnset(token, Settings.SLACK_BOT_TOKEN, Settings.SLACK_SIGNING_SECRET);
            return null;
        }
        return new Slack(
                signing, token, given.require(Settings.SLACK_API_URL), given.require(Settings.SLACK_FILE_HOSTS));
    }

    private static @Nullable Discord discord(GivenSettings given) {
        String key = given.find(Settings.DISCORD_PUBLIC_KEY);
        Secret token = given.find(Settings.DISCORD_BOT_TOKEN);
        if (key == null) {
            requireUnset(token, Settings.DISCORD_BOT_TOKEN, Settings.DISCORD_PUBLIC_KEY);
            return null;
        }
        if (!DISCORD_KEY.matcher(key).matches()) {
            throw new ConfigException("discord-public-key must be the 64 hex digits that Discord shows.");
        }
        return new Discord(
                key, token, given.require(Settings.DISCORD_API_URL), given.require(Settings.DISCORD_FILE_HOSTS));
    }

    private static @Nullable BlueBubbles blueBubbles(GivenSettings given) {
        URI url = given.find(Settings.BLUEBUBBLES_URL);
        Secret password = given.find(Settings.BLUEBUBBLES_PASSWORD);
        Secret secret = given.find(Settings.BLUEBUBBLES_WEBHOOK_SECRET);
        if (url == null && password == null && secret == null) {
            return null;
        }
        if (url == null || password == null || secret == null) {
            throw new ConfigException("bluebubbles-url, bluebubbles-password and bluebubbles-webhook-secret"
                    + " belong together: set all three, or none.");
        }
        if (!secret.reveal().matches("[A-Za-z0-9_-]{16,128}")) {
            throw new ConfigException("bluebubbles-webhook-secret must have 16 to 128 letters, digits, - and _,"
                    + " since it is a part of a path.");
        }
        return new BlueBubbles(url, password, secret);
    }

    private static void requireUnset(@Nullable Object value, Setting<?> without, Setting<?> needed) {
        if (value != null) {
            throw new ConfigException(without.name() + " is set, but " + needed.name()
                    + " is not: set it as well, it authenticates incoming messages.");
        }
    }
}
