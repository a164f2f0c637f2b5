package dev.parley.assembly;

import dev.parley.log.Digest;
import dev.parley.log.Entry;
import dev.parley.log.EntryContent;
import dev.parley.log.EntryKind;
import dev.parley.log.Role;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.Message;
import dev.parley.threads.ReadMessage;
import dev.parley.threads.RevisedMessage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A thread that a test writes message by message, and views as an agent. */
final class Talk {
    static final ThreadId THREAD = new ThreadId(UUID.fromString("01890000-0000-7000-8000-000000000001"));
    static final Actor AGENT = Actor.agent(UUID.fromString("01890000-0000-7000-8000-0000000000aa"));
    static final Actor OTHER_AGENT = Actor.agent(UUID.fromString("01890000-0000-7000-8000-0000000000bb"));
    static final Actor ANN = Actor.user(UUID.fromString("01890000-0000-7000-8000-000000000011"));
    static final Actor BOB = Actor.user(UUID.fromString("01890000-0000-7000-8000-000000000012"));

    final List<RevisedMessage> messages = new ArrayList<>();
    final Set<Long> triggers = new HashSet<>();
    final Set<Long> otherTriggers = new HashSet<>();
    final Map<Actor, String> names =
            new HashMap<>(Map.of(AGENT, "Helper", OTHER_AGENT, "Calc", ANN, "Ann", BOB, "Bob"));
    final Map<Long, List<RevisedMessage>> recalled = new HashMap<>();
    final List<Message> givenMessages = new ArrayList<>();
    final List<ContextInputs.Given> given = new ArrayList<>();
    final List<ContextMessage> soFar = new ArrayList<>();

    /** The state of a message. */
    enum Fate {
        STANDS,
        EDITED,
        DELETED,
        WITHDRAWN,
        SUPERSEDED
    }

    long say(Actor author, Role role, String content) {
        return say(author, role, content, Fate.STANDS, metadata -> {});
    }

    long say(Actor author, Role role, String content, Fate fate, Consumer<ObjectNode> metadata) {
        ObjectNode said = Json.MAPPER.createObjectNode();
        metadata.accept(said);
        messages.add(message(messages.size() + 1L, author, role, content, fate, said.isEmpty() ? null : said));
        return messages.size();
    }

    private static RevisedMessage message(
            long seq, Actor author, Role role, String content, Fate fate, @Nullable ObjectNode metadata) {
        Instant at = Instant.ofEpochSecond(1_800_000_000 + seq);
        Entry entry = new Entry(
                THREAD,
                seq,
                seq,
                at,
                Digest.of(new byte[32]),
                new EntryContent(
                        "m" + seq,
                        EntryKind.MESSAGE,
                        null,
                        author,
                        role,
                        fate == Fate.EDITED ? "as it was" : content,
                        metadata == null ? null : Json.MAPPER.writeValueAsString(metadata),
                        List.of(),
                        null,
                        null,
                        null,
                        null),
                null,
                List.of());
        return new RevisedMessage(
                entry,
                fate == Fate.DELETED ? "" : content,
                fate == Fate.EDITED ? at : null,
                fate == Fate.DELETED ? at : null,
                fate == Fate.WITHDRAWN,
                fate == Fate.SUPERSEDED,
                Map.of());
    }

    /** A question to be answered. */
    long ask(Actor author, String content) {
        long seq = say(author, Role.USER, content);
        triggers.add(seq);
        return seq;
    }

    /** A message that an integration brought. */
    long bring(String source, String id, String name, String content, Consumer<ObjectNode> more) {
        return say(new Actor(source + ":" + id), Role.USER, content, Fate.STANDS, metadata -> {
            metadata.put("source", source)
                    .put("sender_id", source + ":" + id)
                    .put("sender_display_name", name)
                    .put("sender_type", "human");
            more.accept(metadata);
        });
    }

    long call(String text, String... idsAndTools) {
        return say(AGENT, Role.ASSISTANT, text, Fate.STANDS, metadata -> {
            var calls = metadata.putArray("tool_calls");
            for (int i = 0; i < idsAndTools.length; i += 2) {
                ObjectNode call = calls.addObject().put("id", idsAndTools[i]).put("type", "function");
                call.putObject("function").put("name", idsAndTools[i + 1]).put("arguments", "{}");
            }
        });
    }

    long result(String call, String text) {
        return say(
                AGENT,
                Role.TOOL,
                text,
                Fate.STANDS,
                metadata -> metadata.put("tool_call_id", call).put("tool_name", "t"));
    }

    ContextInputs material() {
        return new ContextInputs(
                THREAD, AGENT, read(messages), triggers, otherTriggers, names, recalled, givenMessages, given, soFar);
    }

    static List<ReadMessage> read(List<RevisedMessage> messages) {
        return messages.stream().map(ReadMessage::of).toList();
    }

    static Assembly assembly() {
        return new Assembly(new Fences("a secret of thirty-two characters".getBytes(StandardCharsets.UTF_8)));
    }

    List<ContextMessage> seenBy(ModelShape shape) {
        return assembly().context(material(), Assembly.Prompt.NONE, shape);
    }

    /** A line per message: its role and its text. */
    List<String> linesFor(ModelShape shape) {
        return seenBy(shape).stream().map(Talk::line).toList();
    }

    static String line(ContextMessage message) {
        return switch (message) {
            case ContextMessage.SystemBlock system -> "system: " + system.text();
            case ContextMessage.User user -> "user: " + String.join(" | ", parts(user));
            case ContextMessage.Assistant assistant ->
                "assistant: " + assistant.text()
                        + String.join(
                                "",
                                assistant.calls().stream()
                                        .map(call ->
                                                " <" + call.id() + " " + call.tool() + " " + call.arguments() + ">")
                                        .toList());
            case ContextMessage.ToolResult result -> "tool " + result.callId() + ": " + result.text();
        };
    }

    private static List<String> parts(ContextMessage.User user) {
        return user.parts().stream()
                .map(part -> switch (part) {
                    case ContextMessage.Part.Text text -> text.text();
                    case ContextMessage.Part.Picture picture ->
                        "(" + picture.object().name() + ")";
                })
                .toList();
    }
}
