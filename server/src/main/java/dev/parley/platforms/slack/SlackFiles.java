package dev.parley.platforms.slack;

import dev.parley.ingest.EarlierMessage;
import dev.parley.ingest.RemoteFile;
import dev.parley.outbound.Destination;
import dev.parley.platforms.PlatformFiles;
import dev.parley.protocol.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The files of Slack's messages, downloaded with the bot's token from the configured hosts only
 * (<a href="https://docs.slack.dev/reference/objects/file-object">Slack: file object</a>).
 */
final class SlackFiles {
    private static final Duration LOOKUP_TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_DESCRIBED_FILES = 20;

    private final @Nullable SlackApi api;
    private final PlatformFiles files;
    private final Set<Destination> hosts;

    /** @param api null if there is no token; files then cannot be downloaded */
    SlackFiles(@Nullable SlackApi api, PlatformFiles files, Set<Destination> hosts) {
        this.api = api;
        this.files = files;
        this.hosts = Set.copyOf(hosts);
    }

    /**
     * The files of one message.
     *
     * @param described descriptions of the files that cannot be downloaded; null if there are none
     */
    record MessageFiles(List<RemoteFile> remote, @Nullable ArrayNode described) {}

    MessageFiles read(JsonNode message) {
        List<RemoteFile> remote = new ArrayList<>();
        ArrayNode described = Json.MAPPER.createArrayNode();
        for (JsonNode file : message.path("files")) {
            if (file.isObject()) {
                SlackApi slack = api;
                if (slack != null && (!url(file).isEmpty() || needsLookup(file))) {
                    remote.add(remote(slack, file));
                } else if (described.size() < MAX_DESCRIBED_FILES) {
                    described.add(describe(file));
                }
            }
        }
        return new MessageFiles(remote, described.isEmpty() ? null : described);
    }

    /** The placeholder text for the files of a message without text; empty without files. */
    static String placeholder(JsonNode message) {
        return EarlierMessage.filePlaceholder(message.path("files")
                .valueStream()
                .map(file -> SlackJson.first(SlackJson.text(file, "name"), SlackJson.text(file, "title"))));
    }

    private RemoteFile remote(SlackApi slack, JsonNode file) {
        String name = SlackJson.first(SlackJson.text(file, "name"), SlackJson.text(file, "title"));
        String type = SlackJson.text(file, "mimetype");
        String id = SlackJson.text(file, "id");
        String url = url(file);
        return new RemoteFile(
                url.isEmpty() ? "slack:file:" + id : url,
                name.isEmpty() ? null : name,
                type.isEmpty() ? null : type,
                Math.max(0, file.path("size").asLong(0)),
                () -> files.fetch(
                        needsLookup(file) ? lookUpUrl(slack, id) : url,
                        hosts,
                        Map.of("Authorization", slack.authorization()),
                        // The hosts are trusted, because an operator configured them.
                        true));
    }

    /** True if the event has the file's id only, as in channels that organisations share. */
    private static boolean needsLookup(JsonNode file) {
        return SlackJson.text(file, "file_access").equals("check_file_info")
                && !SlackJson.text(file, "id").isEmpty();
    }

    private static String lookUpUrl(SlackApi slack, String id) throws RemoteFile.Failed, InterruptedException {
        if (slack.query("files.info", Map.of("file", id), LOOKUP_TIMEOUT) instanceof SlackReply.Done(ObjectNode body)
                && !url(body.path("file")).isEmpty()) {
            return url(body.path("file"));
        }
        throw new RemoteFile.Failed("Slack did not return the file's URL.");
    }

    private static String url(JsonNode file) {
        return SlackJson.first(SlackJson.text(file, "url_private_download"), SlackJson.text(file, "url_private"));
    }

    private static ObjectNode describe(JsonNode file) {
        ObjectNode described = Json.MAPPER.createObjectNode();
        put(described, "url", url(file));
        put(described, "filename", SlackJson.text(file, "name"));
        put(described, "mime_type", SlackJson.text(file, "mimetype"));
        long size = file.path("size").asLong(0);
        if (size > 0) {
            described.put("size_bytes", size);
        }
        put(described, "slack_file_id", SlackJson.text(file, "id"));
        return described;
    }

    private static void put(ObjectNode described, String name, String value) {
        if (!value.isEmpty()) {
            described.put(name, value);
        }
    }
}
