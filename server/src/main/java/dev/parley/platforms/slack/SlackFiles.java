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

/** The files of Slack's messages: fetched with the bot's token, from the configured hosts only. */
final class SlackFiles {
    private static final Duration LOOKUP = Duration.ofSeconds(10);
    private static final int MAX_NAMED_FILES = 20;

    private final @Nullable SlackApi api;
    private final PlatformFiles files;
    private final Set<Destination> hosts;

    /** @param api null if there is no token to fetch anything with */
    SlackFiles(@Nullable SlackApi api, PlatformFiles files, Set<Destination> hosts) {
        this.api = api;
        this.files = files;
        this.hosts = Set.copyOf(hosts);
    }

    /**
     * The files of one message.
     *
     * @param named those that nobody can fetch, as they are told of; null if there are none
     */
    record MessageFiles(List<RemoteFile> fetched, @Nullable ArrayNode named) {}

    MessageFiles read(JsonNode message) {
        List<RemoteFile> fetched = new ArrayList<>();
        ArrayNode named = Json.MAPPER.createArrayNode();
        for (JsonNode file : message.path("files")) {
            if (file.isObject()) {
                SlackApi reachable = api;
                if (reachable != null && (!url(file).isEmpty() || mustBeAsked(file))) {
                    fetched.add(remote(reachable, file));
                } else if (named.size() < MAX_NAMED_FILES) {
                    named.add(name(file));
                }
            }
        }
        return new MessageFiles(fetched, named.isEmpty() ? null : named);
    }

    /** The text that stands for the files of a message without text; empty if it has none. */
    static String placeholder(JsonNode message) {
        return EarlierMessage.filePlaceholder(message.path("files")
                .valueStream()
                .map(file -> SlackJson.first(SlackJson.text(file, "name"), SlackJson.text(file, "title"))));
    }

    private RemoteFile remote(SlackApi reachable, JsonNode file) {
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
                        mustBeAsked(file) ? ask(reachable, id) : url,
                        hosts,
                        Map.of("Authorization", reachable.authorization()),
                        // The hosts are exactly those that an operator named.
                        true));
    }

    /** In channels shared between organisations Slack tells of a file by its id alone. */
    private static boolean mustBeAsked(JsonNode file) {
        return SlackJson.text(file, "file_access").equals("check_file_info")
                && !SlackJson.text(file, "id").isEmpty();
    }

    private static String ask(SlackApi reachable, String id) throws RemoteFile.Failed, InterruptedException {
        if (reachable.ask("files.info", Map.of("file", id), LOOKUP) instanceof SlackReply.Done(ObjectNode told)
                && !url(told.path("file")).isEmpty()) {
            return url(told.path("file"));
        }
        throw new RemoteFile.Failed("Slack does not say where the file is.");
    }

    private static String url(JsonNode file) {
        return SlackJson.first(SlackJson.text(file, "url_private_download"), SlackJson.text(file, "url_private"));
    }

    private static ObjectNode name(JsonNode file) {
        ObjectNode named = Json.MAPPER.createObjectNode();
        put(named, "url", url(file));
        put(named, "filename", SlackJson.text(file, "name"));
        put(named, "mime_type", SlackJson.text(file, "mimetype"));
        long size = file.path("size").asLong(0);
        if (size > 0) {
            named.put("size_bytes", size);
        }
        put(named, "slack_file_id", SlackJson.text(file, "id"));
        return named;
    }

    private static void put(ObjectNode named, String name, String value) {
        if (!value.isEmpty()) {
            named.put(name, value);
        }
    }
}
