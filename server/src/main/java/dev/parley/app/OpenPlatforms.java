package dev.parley.app;

import dev.parley.app.config.PlatformSettings;
import dev.parley.outbound.Calls;
import dev.parley.platforms.Backfills;
import dev.parley.platforms.ChatPlatform;
import dev.parley.platforms.PlatformFiles;
import dev.parley.platforms.bluebubbles.BlueBubblesPlatform;
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
        PlatformSettings.BlueBubbles blueBubbles = settings.blueBubbles();
        if (blueBubbles != null) {
            platforms.add(open(blueBubbles, parts));
        }
        return platforms;
    }

    private static ChatPlatform open(PlatformSettings.BlueBubbles settings, Parts parts) {
        return new BlueBubblesPlatform(
                new BlueBubblesPlatform.Access(
                        settings.url(),
                        settings.password().reveal(),
                        settings.webhookSecret().reveal()),
                new BlueBubblesPlatform.Parts(
                        parts.calls(), parts.files(), new Backfills(parts.database()), parts.clock()));
    }
}
