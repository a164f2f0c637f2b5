package dev.parley.ingest;

import dev.parley.auth.Principal;
import dev.parley.auth.Sources;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.testing.RunningServer;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A chat platform with one channel; its events are those of an adapter, verified and mapped. */
record Platform(RunningServer server, String source, String channel) {
    static Platform of(RunningServer server, String source) {
        return new Platform(server, source, "C" + UUID.randomUUID());
    }

    Principal.Integration principal() {
        return new Principal.Integration(source, new UUID(0, 1), Actor.user(Relay.OPERATOR));
    }

    void bring(PlatformEvent event) {
        server.server().ingest().receive(principal(), event);
    }

    ObjectNode metadata(String id) {
        return Json.MAPPER
                .createObjectNode()
                .put("source", source)
                .put("sender_id", Sources.prefixOf(source) + ":U1")
                .put("sender_display_name", "Olivia")
                .put("sender_type", "human")
                .put("channel_external_id", channel)
                .put("external_message_id", id);
    }

    PlatformEvent.Posted said(String text, ObjectNode metadata, PlatformEvent.Echo echo, RemoteFile... files) {
        return new PlatformEvent.Posted(InboundMessage.ofPlatform(text, metadata, null, false), List.of(files), echo);
    }

    void say(String text, String id) {
        bring(said(text, metadata(id), PlatformEvent.Echo.NONE));
    }

    PlatformEvent.MessageRef spot(String id, @Nullable String event) {
        return new PlatformEvent.MessageRef("", channel, id, event);
    }

    /** The inbound events of the channel, each as one line. */
    List<String> events() {
        return server.select("select reason || ' ' || seq || ' ' || run from inbound_events where channel = '" + channel
                + "' order by received_at, event_id");
    }

    String thread() {
        return server.select("select thread_id from bindings where channel = '" + channel + "'")
                .getFirst();
    }

    /** The channel's messages as the owner reads them. */
    List<JsonNode> messages() {
        return Relay.operator(server)
                .get("/api/v1/chat/threads/" + thread() + "/messages")
                .json()
                .path("messages")
                .valueStream()
                .filter(message -> message.path("sender_id").asString("").startsWith(Sources.prefixOf(source) + ":"))
                .toList();
    }

    List<String> texts() {
        return messages().stream().map(each -> each.path("content").asString()).toList();
    }
}
