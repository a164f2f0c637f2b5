package dev.parley.face.agent;

import dev.parley.basics.Text;
import dev.parley.http.Frames;
import dev.parley.log.Entry;
import dev.parley.log.EntryContent;
import dev.parley.log.Event;
import dev.parley.log.Line;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.lifecycle.Run;
import dev.parley.threads.RunReport;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Events as AG-UI frames (<a href="https://docs.ag-ui.com">docs.ag-ui.com</a>). A stream of a whole thread shows
 * messages and changes as CUSTOM events among the events of its runs. A stream of one run shows that run alone, and
 * ends with its terminal event.
 *
 * @param only the run; null for the whole thread
 */
record RunEncoder(@Nullable UUID only, FrameIds ids) implements Function<Event, Frames> {
    private static final Set<String> TERMINAL = Set.of("RUN_FINISHED", "RUN_ERROR");
    private static final String TYPE = "{\"type\":\"";
    /**
     * The limit of one event in bytes. A longer event is shortened and marked, and readers fetch the rest by its id.
     */
    private static final int MAX_EVENT_BYTES = 256 * 1024;

    @Override
    public Frames apply(Event event) {
        return switch (event) {
            case Event.Emitted emitted when only == null || only.equals(emitted.run()) -> lines(emitted);
            case Event.Emitted other -> Frames.NONE;
            case Event.Committed(Entry entry) -> only == null ? message(entry) : Frames.NONE;
            case Event.Announced announced ->
                only == null
                        ? custom(
                                ids.of(announced.thread(), announced.position()),
                                announced.type(),
                                Json.MAPPER.readTree(announced.payload()),
                                null)
                        : Frames.NONE;
        };
    }

    private Frames lines(Event.Emitted emitted) {
        List<Frames> frames = new ArrayList<>(emitted.lines().size());
        for (Line line : emitted.lines()) {
            String type = type(line.json());
            Frames frame = Frames.json(
                    ids.of(emitted.thread(), line.position()), type, line.json().getBytes(StandardCharsets.UTF_8));
            frames.add(only != null && TERMINAL.contains(type) ? frame.asLast() : frame);
        }
        return Frames.concat(frames);
    }

    /** Lines in the log are written by the server, with their type first. */
    private static String type(String json) {
        return json.startsWith(TYPE)
                ? json.substring(TYPE.length(), json.indexOf('"', TYPE.length()))
                : Json.MAPPER.readTree(json).path("type").asString();
    }

    private Frames message(Entry entry) {
        EntryContent said = entry.content();
        JsonNode metadata = said.metadata() == null ? null : Json.MAPPER.readTree(said.metadata());
        String content = Text.startWithin(said.text(), MAX_EVENT_BYTES);
        boolean cut = content.length() < said.text().length();
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("id", said.id());
        value.put("seq", entry.seq());
        value.put("kind", said.kind().name().toLowerCase(Locale.ROOT));
        value.put("targetSeq", said.targetSeq());
        value.put("senderId", said.author().value());
        value.put("role", said.role().wire());
        value.put("content", content);
        value.put("metadata", metadata);
        value.put("createdAt", entry.createdAt());
        value.put("erasedAt", entry.erasedAt());
        value.values().removeIf(Objects::isNull);
        // Only the run's own output is marked with the run. A message that was sent before the run began names the run
        // in its metadata, but is not part of the run's sequence of events.
        String run = metadata != null && RunReport.isMeasured(metadata)
                ? metadata.path("run_id").asString(null)
                : null;
        Map<String, Object> marks = new LinkedHashMap<>();
        if (run != null) {
            marks.put("runId", run);
        }
        if (cut) {
            marks.put("truncated", true);
        }
        return custom(
                ids.of(entry.thread(), entry.position()),
                said.kind().isRevision() ? "message_revised" : "message_committed",
                value,
                marks.isEmpty() ? null : marks);
    }

    /** Tells a reader to load the thread again, because the stored events do not continue from the reader's cursor. */
    static Frames resync(FrameIds ids, ThreadId thread, long position, String reason) {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("reason", reason);
        value.put("position", position);
        value.put(
                "reload",
                List.of(
                        "/api/v1/chat/threads/" + thread + "/messages",
                        "/api/v1/agent/threads/" + thread + "/runs",
                        "/api/v1/agent/threads/" + thread + "/state"));
        return custom(ids.of(thread, position), "resync", value, null);
    }

    /**
     * The frames for a run whose events have expired: its start, the messages to reload, and its end.
     *
     * @param fromTheStart true if the viewer has not seen the start of the run yet
     */
    static Frames remembered(Run run, boolean fromTheStart, long expired) {
        long last = run.positions().last() == null ? expired : run.positions().last();
        Map<String, Object> metadata = Map.of("runId", run.runId());
        Map<String, Object> started = new LinkedHashMap<>();
        started.put("type", "RUN_STARTED");
        started.put("threadId", run.thread().toString());
        started.put("runId", run.runId());
        started.put("metadata", metadata);
        Map<String, Object> ended = new LinkedHashMap<>();
        if (run.result().errorMessage() == null) {
            ended.put("type", "RUN_FINISHED");
            ended.put("threadId", run.thread().toString());
            ended.put("runId", run.runId());
            if (run.result().outcome() != null) {
                ended.put("outcome", Json.MAPPER.readTree(run.result().outcome()));
            }
        } else {
            ended.put("type", "RUN_ERROR");
            ended.put("message", run.result().errorMessage());
            if (run.result().errorCode() != null) {
                ended.put("code", run.result().errorCode());
            }
        }
        ended.put("metadata", metadata);
        return Frames.concat(List.of(
                fromTheStart
                        ? frame(
                                Long.toString(
                                        run.positions().first() == null
                                                ? last
                                                : run.positions().first()),
                                started)
                        : Frames.NONE,
                resync(FrameIds.POSITION, run.thread(), last, "expired"),
                frame(Long.toString(last), ended).asLast()));
    }

    private static Frames frame(String id, Map<String, Object> event) {
        return Frames.json(id, String.valueOf(event.get("type")), Json.MAPPER.writeValueAsBytes(event));
    }

    private static Frames custom(String id, String name, Object value, @Nullable Map<String, Object> metadata) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("type", "CUSTOM");
        event.put("name", name);
        event.put("value", value);
        if (metadata != null) {
            event.put("metadata", metadata);
        }
        return frame(id, event);
    }
}
