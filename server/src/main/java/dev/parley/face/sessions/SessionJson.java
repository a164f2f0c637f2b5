package dev.parley.face.sessions;

import dev.parley.http.Answer;
import dev.parley.log.Entry;
import dev.parley.protocol.Json;
import dev.parley.protocol.UuidV7;
import dev.parley.sessions.ChatEventRow;
import dev.parley.sessions.MessageUsage;
import dev.parley.sessions.NewChatEvent;
import dev.parley.sessions.RestoredMessages;
import dev.parley.sessions.SessionMessage;
import dev.parley.sessions.SessionReading;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes the stored bytes of messages into answers, because serializing the messages again would change them. */
final class SessionJson {
    private final String sessionId;

    SessionJson(String sessionId) {
        this.sessionId = sessionId;
    }

    static Answer answer(int status, byte[] json) {
        Answer answer = Answer.bytes("application/json", json);
        return new Answer(status, answer.body(), answer.headers());
    }

    /** The messages alone, as Agno reads them. */
    static byte[] array(RestoredMessages texts, int count) {
        ByteArrayOutputStream out = sized(texts);
        try {
            out.write('[');
            for (int i = 0; i < count; i++) {
                if (i > 0) {
                    out.write(',');
                }
                texts.write(i, out);
            }
            out.write(']');
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        return out.toByteArray();
    }

    /** @param page null for messages that were just posted */
    byte[] rows(List<SessionMessage> messages, RestoredMessages texts, SessionReading.@Nullable Page page) {
        ByteArrayOutputStream out = sized(texts);
        ObjectNode wrapper = Json.MAPPER.createObjectNode().put("session_id", sessionId);
        if (page != null) {
            wrapper.put("has_more", page.more())
                    .put("next_after_seq", page.nextAfter())
                    .put("next_before_seq", page.nextBefore());
        }
        try {
            open(out, wrapper, "chat_events");
            out.write('[');
            for (int i = 0; i < messages.size(); i++) {
                if (i > 0) {
                    out.write(',');
                }
                open(out, row(messages.get(i)), "message_data");
                texts.write(i, out);
                out.write('}');
            }
            out.write(']');
            out.write('}');
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        return out.toByteArray();
    }

    private static ByteArrayOutputStream sized(RestoredMessages texts) {
        return new ByteArrayOutputStream((int) Math.min(Integer.MAX_VALUE / 2, texts.size() + 4_096));
    }

    /**
     * Writes the start of an object, up to the name of its last field. The caller writes the value of that field and
     * the end.
     */
    private static void open(ByteArrayOutputStream out, ObjectNode members, String last) throws IOException {
        byte[] json = Json.MAPPER.writeValueAsBytes(members);
        out.write(json, 0, json.length - 1);
        out.write((",\"" + last + "\":").getBytes(StandardCharsets.UTF_8));
    }

    private ObjectNode row(SessionMessage each) {
        Entry entry = each.message().original();
        ChatEventRow.Stored event = each.event();
        ObjectNode row = Json.MAPPER.createObjectNode();
        JsonNode metadata = entry.content().metadata() == null
                ? Json.MAPPER.createObjectNode()
                : Json.MAPPER.readTree(entry.content().metadata());
        row.put("id", event == null ? idOf(entry) : event.row().id().toString());
        row.put("seq", entry.seq());
        row.put("session_id", sessionId);
        row.put("message_id", event == null ? entry.content().id() : event.row().messageId());
        row.put(
                "role",
                event == null ? entry.content().role().wire() : event.row().role());
        row.put("sender_id", entry.content().author().value());
        NewChatEvent.Wrapper about = each.about();
        row.put("agent_id", about.agentId());
        row.put("agent_name", about.agentName());
        row.put("team_name", about.teamName());
        row.put("user_id", about.userId());
        row.put("run_id", about.runId());
        row.put("parent_run_id", about.parentRunId());
        usage(row, each.usage());
        row.put("partial", metadata.path("partial").asBoolean(false));
        row.put("created_at", (event == null ? entry.createdAt() : event.createdAt()).toString());
        return row;
    }

    /**
     * The row id of a message from another face, which has no row of its own. It is the message's id if that is a UUID
     * of version 7, or else a UUID derived from the message's time and seq.
     */
    private static String idOf(Entry entry) {
        return UuidV7.parseCanonical(entry.content().id())
                .filter(id -> id.version() == 7)
                .orElseGet(() -> UuidV7.named(entry.createdAt().toEpochMilli(), entry.thread() + "/" + entry.seq()))
                .toString();
    }

    private static void usage(ObjectNode row, MessageUsage usage) {
        row.put("input_tokens", usage.inputTokens());
        row.put("output_tokens", usage.outputTokens());
        row.set("usage", usage.counts() == null ? null : Json.MAPPER.readTree(usage.counts()));
        row.put("cost", usage.cost());
        row.put("cost_currency", usage.currency());
    }
}
