package dev.parley.app;

import dev.parley.app.config.PlatformSettings;
import dev.parley.app.config.Secret;
import dev.parley.outbound.Calls;
import dev.parley.platforms.ChatPlatform;
import dev.parley.platforms.PlatformFiles;
import dev.parley.platforms.slack.SlackPlatform;
import dev.parley.storage.Database;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** Builds the chat platforms that are configured. */
final class OpenPlatforms {
    private OpenPlatforms() {}

    /** What platforms are built on. */
    record Parts(Calls calls, PlatformFiles files, Database database, Clock clock) {}

    static List<ChatPlatform> open(PlatformSettings settings, Parts parts) {
        List<ChatPlatform> platforms = new ArrayList<>();
        PlatformSettings.Slack slack = settings.slack();
        if (slack != null) {
            platforms.add(slack(slack, parts));
        }
        return platforms;
    }

    private static ChatPlatform slack(PlatformSettings.Slack slack, Parts parts) {
        Secret token = slack.botToken();
        return new SlackPlatform(
                new SlackPlatform.Access(
                        slack.signingSecret().bytes(),
                        token == null ? null : token.reveal(),
                        slack.api(),
                        slack.fileHosts()),
                parts.calls(),
                parts.files(),
                parts.clock());
    }
}
