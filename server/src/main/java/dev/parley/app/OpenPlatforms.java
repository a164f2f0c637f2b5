package dev.parley.app;

import dev.parley.app.config.ConfigException;
import dev.parley.app.config.PlatformSettings;
import dev.parley.app.config.Secret;
import dev.parley.auth.IntegrationKeys;
import dev.parley.delivery.ChatTransport;
import dev.parley.delivery.WebhookSecrets;
import dev.parley.outbound.Calls;
import dev.parley.outbound.OutboundUrl;
import dev.parley.platforms.Backfills;
import dev.parley.platforms.ChatPlatform;
import dev.parley.platforms.PlatformFiles;
import dev.parley.platforms.bluebubbles.BlueBubblesPlatform;
import dev.parley.platforms.discord.DiscordPlatform;
import dev.parley.platforms.relay.RelayTransport;
import dev.parley.platforms.slack.SlackPlatform;
import dev.parley.storage.Database;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Builds the chat platforms that are configured. */
final class OpenPlatforms {
    private OpenPlatforms() {}

    /** What platforms are built on. */
    record Dependencies(
            Calls calls,
            PlatformFiles files,
            Database database,
            IntegrationKeys keys,
            Duration namesTime,
            Clock clock) {}

    static List<ChatPlatform> open(PlatformSettings settings, Dependencies parts) {
        List<ChatPlatform> platforms = new ArrayList<>();
        PlatformSettings.Slack slack = settings.slack();
        if (slack != null) {
            platforms.add(slack(slack, parts));
        }
        PlatformSettings.Discord discord = settings.discord();
        if (discord != null) {
            platforms.add(discord(discord, parts));
        }
        PlatformSettings.BlueBubbles blueBubbles = settings.blueBubbles();
        if (blueBubbles != null) {
            platforms.add(blueBubbles(blueBubbles, parts));
        }
        return platforms;
    }

    private static ChatPlatform slack(PlatformSettings.Slack slack, Dependencies parts) {
        Secret token = slack.botToken();
        return new SlackPlatform(
                new SlackPlatform.Access(
                        slack.signingSecret().bytes(),
                        token == null ? null : token.reveal(),
                        slack.api(),
                        slack.fileHosts(),
                        parts.namesTime()),
                parts.calls(),
                parts.files(),
                parts.clock());
    }

    private static ChatPlatform discord(PlatformSettings.Discord discord, Dependencies parts) {
        try {
            return new DiscordPlatform(
                    new DiscordPlatform.Settings(
                            discord.publicKey(),
                            reveal(discord.botToken()),
                            discord.api().toString(),
                            discord.fileHosts()),
                    parts.calls(),
                    parts.files(),
                    key -> parts.keys()
                            .findAny(key)
                            .filter(holder -> holder.source().equals(DiscordPlatform.SOURCE))
                            .isPresent(),
                    parts.clock());
        } catch (IllegalArgumentException notOne) {
            throw new ConfigException("discord-public-key is not a key that could verify anything.");
        }
    }

    private static @Nullable String reveal(@Nullable Secret secret) {
        return secret == null ? null : secret.reveal();
    }

    /** The ways to sources that have no adapter. */
    static List<ChatTransport> relays(PlatformSettings settings, Dependencies parts, WebhookSecrets secrets) {
        List<ChatTransport> relays = new ArrayList<>();
        new TreeMap<>(settings.relays()).forEach((source, url) -> {
            try {
                relays.add(new RelayTransport(
                        source, OutboundUrl.parse(url.toString()), secrets, parts.calls(), parts.clock()));
            } catch (IllegalArgumentException notOne) {
                throw new ConfigException("The URL of the relay of " + source + " " + notOne.getMessage() + ".");
            }
        });
        return relays;
    }

    private static ChatPlatform blueBubbles(PlatformSettings.BlueBubbles settings, Dependencies parts) {
        return new BlueBubblesPlatform(
                new BlueBubblesPlatform.Access(
                        settings.url(),
                        settings.password().reveal(),
                        settings.webhookSecret().reveal()),
                new BlueBubblesPlatform.Dependencies(
                        parts.calls(), parts.files(), new Backfills(parts.database()), parts.clock()));
    }
}
