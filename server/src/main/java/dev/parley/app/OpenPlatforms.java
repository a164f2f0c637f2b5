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
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Builds the configured chat platforms. */
final class OpenPlatforms {
    private final Foundation base;
    private final PlatformSettings settings;
    private final Calls calls;
    private final PlatformFiles files;
    private final IntegrationKeys keys;

    OpenPlatforms(Foundation base, Calls calls, IntegrationKeys keys) {
        this.base = base;
        this.settings = base.config().services().platforms();
        this.calls = calls;
        this.files = new PlatformFiles(
                calls,
                base.limits().objects().uploadBytes(),
                base.limits().ingest().filesTime());
        this.keys = keys;
    }

    List<ChatPlatform> platforms() {
        List<ChatPlatform> platforms = new ArrayList<>();
        PlatformSettings.Slack slack = settings.slack();
        if (slack != null) {
            platforms.add(slack(slack));
        }
        PlatformSettings.Discord discord = settings.discord();
        if (discord != null) {
            platforms.add(discord(discord));
        }
        PlatformSettings.BlueBubbles blueBubbles = settings.blueBubbles();
        if (blueBubbles != null) {
            platforms.add(blueBubbles(blueBubbles));
        }
        return platforms;
    }

    private ChatPlatform slack(PlatformSettings.Slack slack) {
        Secret token = slack.botToken();
        return new SlackPlatform(
                new SlackPlatform.Access(
                        slack.signingSecret().bytes(),
                        token == null ? null : token.reveal(),
                        slack.api(),
                        slack.fileHosts(),
                        base.limits().ingest().namesTime()),
                calls,
                files,
                base.clock());
    }

    private ChatPlatform discord(PlatformSettings.Discord discord) {
        try {
            return new DiscordPlatform(
                    new DiscordPlatform.Settings(
                            discord.publicKey(),
                            reveal(discord.botToken()),
                            discord.api().toString(),
                            discord.fileHosts()),
                    calls,
                    files,
                    key -> keys.findAny(key)
                            .filter(holder -> holder.source().equals(DiscordPlatform.SOURCE))
                            .isPresent(),
                    base.clock());
        } catch (IllegalArgumentException invalid) {
            throw new ConfigException("discord-public-key is not a key that could verify anything.");
        }
    }

    private static @Nullable String reveal(@Nullable Secret secret) {
        return secret == null ? null : secret.reveal();
    }

    /** The transports to sources that have no adapter. */
    List<ChatTransport> relays() {
        WebhookSecrets secrets = new WebhookSecrets(base.signingSecrets());
        List<ChatTransport> relays = new ArrayList<>();
        new TreeMap<>(settings.relays()).forEach((source, url) -> {
            try {
                relays.add(new RelayTransport(source, OutboundUrl.parse(url.toString()), secrets, calls, base.clock()));
            } catch (IllegalArgumentException invalid) {
                throw new ConfigException("The URL of the relay of " + source + " " + invalid.getMessage() + ".");
            }
        });
        return relays;
    }

    private ChatPlatform blueBubbles(PlatformSettings.BlueBubbles access) {
        return new BlueBubblesPlatform(
                new BlueBubblesPlatform.Access(
                        access.url(),
                        access.password().reveal(),
                        access.webhookSecret().reveal()),
                calls,
                files,
                new Backfills(base.database()),
                base.clock());
    }
}
