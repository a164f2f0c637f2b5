package dev.parley.history;

import dev.parley.attachments.Attachments;
import dev.parley.attachments.ObjectKey;
import dev.parley.log.EntryContent;
import dev.parley.log.Role;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agent.HistoryAnswer;
import dev.parley.protocol.agent.HistoryAttachment;
import dev.parley.protocol.agent.HistoryMessage;
import dev.parley.protocol.agent.HistoryQuestion;
import dev.parley.protocol.agent.HistoryUsage;
import dev.parley.protocol.agent.UiMeta;
import dev.parley.protocol.agent.UiSchema;
import dev.parley.runs.AnswerUsage;
import dev.parley.runs.Runs;
import dev.parley.threads.RevisedMessage;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Messages in the view of history: in their current state, with marks in their metadata. */
final class HistoryMessages {
    private final Runs runs;
    private final Attachments attachments;
    private final String locale;

    HistoryMessages(Runs runs, Attachments attachments, String locale) {
        this.runs = runs;
        this.attachments = attachments;
        this.locale = locale;
    }

    /** A message with its stored metadata; a deleted message has no metadata. */
    private record Stored(RevisedMessage message, @Nullable ObjectNode metadata) {
        static Stored of(RevisedMessage message) {
            String text = message.original().content().metadata();
            return new Stored(
                    message, text == null || message.isDeleted() ? null : (ObjectNode) Json.MAPPER.readTree(text));
        }

        Role role() {
            return message.original().content().role();
        }

        /** The UI hints from the message's agent or tool. */
        @Nullable
        JsonNode hints() {
            if (metadata == null || role() == Role.USER) {
                return null;
            }
            JsonNode hints = metadata.path(role() == Role.TOOL ? "tool_agent_output" : "worker_agent_output")
                    .path("ui_hints");
            return hints.isObject() ? hints : null;
        }

        @Nullable
        String text(String name) {
            JsonNode value = metadata == null ? null : metadata.get(name);
            return value != null && value.isString() ? value.asString() : null;
        }
    }

    List<HistoryMessage> of(ThreadId thread, List<RevisedMessage> messages) {
        List<Stored> stored = messages.stream().map(Stored::of).toList();
        Set<String> runsWithHints = stored.stream()
                .filter(each -> each.hints() != null)
                .map(each -> each.text("run_id"))
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        Map<String, Actor> started = runsWithHints.isEmpty() ? Map.of() : runs.startersOf(thread, runsWithHints);
        Set<ObjectKey> files = stored.stream()
                .filter(each -> each.role() == Role.USER)
                .flatMap(each -> ShownFiles.keysOf(each.metadata()).stream())
                .collect(Collectors.toSet());
        Map<ObjectKey, String> links = files.isEmpty() ? Map.of() : attachments.linksIn(thread, files);
        Map<Long, AnswerUsage> usages = runs.usages().of(thread, messages);
        return stored.stream().map(each -> view(each, started, links, usages)).toList();
    }

    private HistoryMessage view(
            Stored stored, Map<String, Actor> started, Map<ObjectKey, String> links, Map<Long, AnswerUsage> usages) {
        RevisedMessage message = stored.message();
        EntryContent content = message.original().content();
        String id = content.clientMessageId() == null ? content.id() : content.clientMessageId();
        long seq = message.original().seq();
        if (stored.role() != Role.USER) {
            return new HistoryAnswer(
                    id,
                    seq,
                    content.role().wire(),
                    message.content(),
                    uiSchema(stored, started),
                    marked(message, stored.metadata()),
                    message.original().createdAt(),
                    usage(usages.get(seq)));
        }
        List<HistoryAttachment> files = ShownFiles.of(stored.metadata(), links);
        return new HistoryQuestion(
                id,
                seq,
                content.role().wire(),
                message.content(),
                files.isEmpty() ? null : files.getFirst().url(),
                marked(message, ShownFiles.without(stored.metadata())),
                message.original().createdAt(),
                files);
    }

    private static @Nullable HistoryUsage usage(@Nullable AnswerUsage used) {
        return used == null
                ? null
                : new HistoryUsage(
                        used.inputTokens(),
                        used.outputTokens(),
                        used.cachedTokens(),
                        used.reasoningTokens(),
                        used.cost(),
                        used.currency());
    }

    private @Nullable UiSchema uiSchema(Stored stored, Map<String, Actor> started) {
        JsonNode hints = stored.hints();
        if (hints == null) {
            return null;
        }
        String run = stored.text("run_id");
        Actor starter = run == null ? null : started.get(run);
        UiMeta meta = new UiMeta(
                run,
                stored.text("tool_call_id"),
                stored.text("trace_id"),
                starter == null || starter.kind() != Actor.Kind.USER
                        ? null
                        : starter.value().substring("user:".length()));
        return UiSchemas.compile(hints, locale, meta);
    }

    /** The metadata with the server's marks. Fields with the names of marks are removed if a client wrote them. */
    private static @Nullable ObjectNode marked(RevisedMessage message, @Nullable ObjectNode metadata) {
        Map<String, Boolean> marks = Map.of(
                "withdrawn", message.withdrawn(),
                "superseded", message.superseded(),
                "edited", message.editedAt() != null && !message.isDeleted(),
                "deleted", message.isDeleted());
        if (metadata == null && !marks.containsValue(true)) {
            return null;
        }
        ObjectNode shown = metadata == null ? Json.MAPPER.createObjectNode() : metadata;
        marks.forEach((name, set) -> {
            if (set) {
                shown.put(name, true);
            } else {
                shown.remove(name);
            }
        });
        return shown;
    }
}
