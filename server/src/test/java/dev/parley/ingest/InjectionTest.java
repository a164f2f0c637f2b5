package dev.parley.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Messages for a thread by its id, in the form of in-process integrations. */
class InjectionTest {
    @AutoClose
    private static final RunningServer server = Relay.start();

    private static final Relay relay = Relay.of(server, "bluebubbles");
    private static final String session =
            relay.bring("first").path("session_id").asString();

    /** The contract's own example, with the source beside the metadata. */
    private static ObjectNode example(String text) {
        ObjectNode body = Json.MAPPER.createObjectNode().put("content", text).put("source", "bluebubbles");
        body.putObject("extra_metadata")
                .put("sender_id", "bb:+15550001")
                .put("sender_type", "human")
                .put("sender_display_name", "Me")
                .put("channel_external_id", "iMessage;-;+15550001")
                .put("is_from_me", true)
                .put("message_guid", UUID.randomUUID().toString());
        return body;
    }

    private static Api.Reply inject(String thread, ObjectNode body) {
        return relay.api().post("/api/v1/ingest/sessions/" + thread + "/messages", body.toString());
    }

    @Test
    void exampleOfTheContractWorks() {
        Api.Reply reply = inject(session, example("raw text 你好"));

        assertThat(reply.status()).as(reply.toString()).isEqualTo(202);
        assertThat(reply.text("session_id")).isEqualTo(session);
        JsonNode stored = relay.messages(reply.json())
                .valueStream()
                .filter(each -> each.path("id").asString().equals(reply.text("message_id")))
                .findFirst()
                .orElseThrow();
        assertThat(stored.path("content").asString()).isEqualTo("raw text 你好");
        assertThat(stored.path("sender_id").asString()).isEqualTo("bb:+15550001");
        assertThat(stored.path("metadata").path("source").asString()).isEqualTo("bluebubbles");
        assertThat(stored.path("metadata").path("message_guid").isString()).isTrue();
    }

    @Test
    void namesOfTheOtherCallWorkToo() {
        ObjectNode body = Json.MAPPER.createObjectNode().put("message", "hello").put("passive", true);
        body.set("msg_metadata", relay.metadata());

        Api.Reply reply = inject(session, body);

        assertThat(reply.status()).as(reply.toString()).isEqualTo(202);
        assertThat(reply.json().path("engagement").path("reason").asString()).isEqualTo("passive");
    }

    @Test
    void bothNamesAtOnceAreRefused() {
        assertThat(inject(session, example("a").put("message", "b")).toString())
                .startsWith("400")
                .contains("content");
        ObjectNode both = example("a");
        both.set("msg_metadata", relay.metadata());
        assertThat(inject(session, both).toString()).startsWith("400").contains("extra_metadata");
        ObjectNode sources = example("a");
        ((ObjectNode) sources.get("extra_metadata")).put("source", "slack");
        assertThat(inject(session, sources).toString()).startsWith("400").contains("\"source\"");
    }

    @Test
    void missingFieldIsNamed() {
        ObjectNode without = example("a");
        without.remove("extra_metadata");
        assertThat(inject(session, without).toString()).startsWith("400").contains("msg_metadata");
        ObjectNode unsourced = example("a");
        unsourced.remove("source");
        assertThat(inject(session, unsourced).toString()).startsWith("400").contains("msg_metadata.source");
        assertThat(inject(session, example("a").put("extra_metadata", 1)).toString())
                .startsWith("400")
                .contains("extra_metadata");
    }

    @Test
    void onlyThreadsOfTheSourceAreInjectedInto() {
        String other =
                Relay.of(server, "slack").bring("hello").path("session_id").asString();
        assertThat(inject(other, example("a")).problem()).contains("thread-not-found");
        assertThat(inject(UUID.randomUUID().toString(), example("a")).problem()).contains("thread-not-found");
        assertThat(inject("nonsense", example("a")).problem()).contains("thread-not-found");
    }
}
