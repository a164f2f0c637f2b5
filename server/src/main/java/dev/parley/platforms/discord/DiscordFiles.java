package dev.parley.platforms.discord;

import dev.parley.ingest.EarlierMessage;
import dev.parley.ingest.RemoteFile;
import dev.parley.outbound.Destination;
import dev.parley.platforms.PlatformFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The attachments of a message. Discord signs their URLs, so they are downloaded without the bot's token. */
final class DiscordFiles {
    private final PlatformFiles files;
    private final Set<Destination> hosts;

    DiscordFiles(PlatformFiles files, Set<Destination> hosts) {
        this.files = files;
        this.hosts = Set.copyOf(hosts);
    }

    /** The placeholder text for the files of a message without text; empty without files. */
    static String placeholder(JsonNode attachments) {
        return EarlierMessage.filePlaceholder(attachments
                .valueStream()
                .map(attachment -> Objects.requireNonNullElse(DiscordJson.text(attachment, "filename"), "")));
    }

    List<RemoteFile> of(JsonNode attachments) {
        List<RemoteFile> remote = new ArrayList<>();
        for (JsonNode attachment : attachments) {
            String url = DiscordJson.text(attachment, "url");
            if (url != null) {
                remote.add(new RemoteFile(
                        url,
                        DiscordJson.text(attachment, "filename"),
                        DiscordJson.text(attachment, "content_type"),
                        attachment.path("size").asLong(0),
                        // The hosts are trusted, because an operator configured them.
                        () -> files.fetch(url, hosts, Map.of(), true)));
            }
        }
        return remote;
    }
}
