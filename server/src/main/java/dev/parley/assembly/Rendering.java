package dev.parley.assembly;

import dev.parley.assembly.ContextMessage.Origin;
import dev.parley.assembly.ContextMessage.Part;
import dev.parley.attachments.MessageFiles;
import dev.parley.attachments.ObjectKey;
import dev.parley.attachments.images.ImageType;
import dev.parley.log.EntryContent;
import dev.parley.protocol.Actor;
import dev.parley.threads.ReadMessage;
import dev.parley.threads.RevisedMessage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Turns single messages of the thread into the messages that the viewer is shown, with the author's name and with
 * quotations between fences.
 */
final class Rendering {
    private static final int MAX_RECALLED = 600;
    private static final int MAX_RECALLED_MESSAGES = 5;

    private final ContextInputs inputs;
    private final Fences fences;
    private final boolean manyPeople;

    /** @param manyPeople true if a person's turn needs the author's name */
    Rendering(ContextInputs inputs, Fences fences, boolean manyPeople) {
        this.inputs = inputs;
        this.fences = fences;
        this.manyPeople = manyPeople;
    }

    static boolean isPersons(ReadMessage read) {
        Actor.Kind kind = read.message().original().content().author().kind();
        return (kind == Actor.Kind.USER || kind == Actor.Kind.EXTERNAL) && !isBot(read.metadata());
    }

    /** The message after its quotations; empty if the viewer is not shown it. */
    List<ContextMessage> of(ReadMessage read) {
        RevisedMessage message = read.message();
        ObjectNode metadata = read.metadata();
        EntryContent content = message.original().content();
        boolean own = content.author().equals(inputs.viewer());
        return switch (content.role()) {
            case SYSTEM -> List.of();
            // Results of another agent's tools are for that agent alone.
            case TOOL -> own ? result(message, metadata) : List.of();
            case ASSISTANT -> own ? assistant(message, metadata) : turn(message, metadata);
            case USER -> turn(message, metadata);
        };
    }

    /**
     * True if the integration declares the sender as a program. A message from a program's account is a person's
     * message if the owner of the account typed the message on a device.
     */
    private static boolean isBot(JsonNode metadata) {
        return metadata.path("sender_type").asString("").equals("bot")
                && !metadata.path("is_from_me").asBoolean(false);
    }

    private static List<ContextMessage> result(RevisedMessage message, ObjectNode metadata) {
        String call = metadata.path("tool_call_id").asString("");
        String error = metadata.path("error").asString("");
        String text = error.isEmpty() ? message.content() : (message.content() + "\n(error: " + error + ")").strip();
        boolean failed = !error.isEmpty() || metadata.path("tool_failed").asBoolean(false);
        return call.isEmpty()
                ? List.of()
                : List.of(new ContextMessage.ToolResult(
                        call, metadata.path("tool_name").asString(""), text, failed, origin(message)));
    }

    private static List<ContextMessage> assistant(RevisedMessage message, ObjectNode metadata) {
        List<ContextMessage.Call> calls = Assembly.calls(metadata).stream()
                .map(call -> new ContextMessage.Call(
                        call.id(), call.function().name(), call.function().arguments()))
                .toList();
        return message.content().isBlank() && calls.isEmpty()
                ? List.of()
                : List.of(new ContextMessage.Assistant(message.content(), calls, origin(message)));
    }

    private List<ContextMessage> turn(RevisedMessage message, ObjectNode metadata) {
        Actor author = message.original().content().author();
        boolean agent = author.kind() == Actor.Kind.AGENT || isBot(metadata);
        if (agent && message.content().isBlank() && MessageFiles.in(metadata).isEmpty()) {
            return List.of();
        }
        List<Transform> transforms = new ArrayList<>();
        if (agent) {
            transforms.add(Transform.OTHER_AGENT);
        }
        String text = message.content();
        if (isHeaded(agent, author, metadata)) {
            transforms.add(Transform.HEADER);
            String plain = Quoted.withoutHeaders(text);
            if (!plain.equals(text)) {
                transforms.add(Transform.ESCAPED);
            }
            text = header(author, metadata) + plain;
        }
        List<ContextMessage> shown = new ArrayList<>(quotations(message, metadata));
        List<Part> parts = parts(message, text, metadata, transforms);
        shown.add(new ContextMessage.User(parts, origin(message, transforms)));
        return shown;
    }

    private boolean isHeaded(boolean agent, Actor author, ObjectNode metadata) {
        if (metadata.path("legacy_prefix").asBoolean(false)) {
            // In old messages, the name is part of the text.
            return false;
        }
        return agent || manyPeople || author.kind() == Actor.Kind.EXTERNAL;
    }

    private String header(Actor author, ObjectNode metadata) {
        String token = MentionTokens.legal(
                        metadata.path("mention_token").asString(""),
                        metadata.path("source").asString(""),
                        author.value())
                .map(legal -> " (" + legal + ")")
                .orElse("");
        return "[" + name(author, metadata) + token + "]: ";
    }

    private String name(Actor author, ObjectNode metadata) {
        String given = author.kind() == Actor.Kind.EXTERNAL
                ? metadata.path("sender_display_name").asString("")
                : inputs.names().getOrDefault(author, "");
        for (String name : List.of(given, metadata.path("sender_handle").asString(""), author.value())) {
            String neutral = TurnNames.neutral(name);
            if (!neutral.isEmpty()) {
                return neutral;
            }
        }
        return "somebody";
    }

    private static List<Part> parts(
            RevisedMessage message, String text, ObjectNode metadata, List<Transform> transforms) {
        List<Part> files = message.isDeleted() ? List.of() : files(metadata);
        boolean headed = transforms.contains(Transform.HEADER);
        List<Part> parts = new ArrayList<>();
        if (message.isDeleted() || message.content().isBlank() && files.isEmpty()) {
            transforms.add(Transform.FILLED);
            String filling = message.isDeleted() ? "(deleted message)" : "(empty message)";
            parts.add(new Part.Text(headed ? text + filling : filling));
        } else if (headed || !text.isBlank()) {
            parts.add(new Part.Text(text));
        }
        parts.addAll(files);
        return parts;
    }

    private static List<Part> files(ObjectNode metadata) {
        List<Part> parts = new ArrayList<>();
        for (JsonNode file : MessageFiles.in(metadata)) {
            String type = file.path("mime_type").asString("");
            String filename =
                    file.path("filename").isString() ? file.path("filename").stringValue() : null;
            Optional<ObjectKey> key = ObjectKey.of(
                    file.path("bucket").asString(""), file.path("path").asString(""));
            if (key.isPresent() && ImageType.ofMimeType(type).isPresent()) {
                parts.add(new Part.Picture(key.get(), type, filename));
            } else {
                parts.add(named("file", filename, type));
            }
        }
        return parts;
    }

    /** A file as text. The sender chose the file's name, so the name is neutralized. */
    static Part.Text named(String kind, @Nullable String filename, String type) {
        String name = filename == null ? "" : TurnNames.neutral(filename);
        return new Part.Text("[" + kind + (name.isEmpty() ? "" : " " + name) + ", " + TurnNames.neutral(type) + "]");
    }

    private List<ContextMessage> quotations(RevisedMessage message, ObjectNode metadata) {
        if (message.isDeleted()) {
            return List.of();
        }
        long seq = message.original().seq();
        List<ContextMessage> quotations = new ArrayList<>();
        JsonNode before = metadata.path("thread_context");
        if (before.isString() && !before.stringValue().isBlank()) {
            quotations.add(new ContextMessage.SystemBlock(
                    fences.quote(
                            inputs.thread(),
                            Long.toString(seq),
                            "what others wrote before the next message",
                            Quoted.clean(before.stringValue())),
                    origin(message, List.of(Transform.FENCED))));
        }
        return quotations;
    }

    /**
     * The earlier messages recalled for one message, without messages that the context shows anyway.
     *
     * @param shown the seqs of the messages that the context shows
     */
    Optional<ContextMessage> recollection(long seq, Set<Long> shown) {
        List<RevisedMessage> recalled = inputs.recalled().getOrDefault(seq, List.of()).stream()
                .filter(message -> !shown.contains(message.original().seq()))
                .limit(MAX_RECALLED_MESSAGES)
                .sorted(Comparator.comparingLong(message -> message.original().seq()))
                .toList();
        if (recalled.isEmpty()) {
            return Optional.empty();
        }
        String lines = recalled.stream().map(this::recollected).collect(Collectors.joining("\n"));
        return Optional.of(new ContextMessage.SystemBlock(
                fences.quote(
                        inputs.thread(),
                        seq + "/recalled",
                        "earlier messages of this conversation, by their numbers, that may matter for the next one",
                        lines),
                new Origin(
                        recalled.stream()
                                .map(message -> message.original().seq())
                                .toList(),
                        List.of(Transform.RECALLED, Transform.FENCED),
                        null)));
    }

    private String recollected(RevisedMessage message) {
        Actor author = message.original().content().author();
        return "#" + message.original().seq() + " ["
                + name(author, ReadMessage.of(message).metadata()) + "]: "
                + Quoted.indented(Quoted.shortened(Quoted.clean(message.content()), MAX_RECALLED));
    }

    private static Origin origin(RevisedMessage message) {
        return origin(message, List.of());
    }

    private static Origin origin(RevisedMessage message, List<Transform> transforms) {
        return new Origin(
                List.of(message.original().seq()),
                transforms,
                message.original().content().id());
    }
}
