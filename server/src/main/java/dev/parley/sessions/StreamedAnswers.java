package dev.parley.sessions;

import dev.parley.log.Role;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.Run;
import dev.parley.runs.RunState;
import dev.parley.runs.Runs;
import dev.parley.threads.Messages;
import dev.parley.threads.RevisedMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Finds the messages that streamed runs left for those that their client tells of afterwards: both are the same, and the
 * log holds it once.
 */
final class StreamedAnswers {
    /** How many positions before a run's end its messages are looked for. */
    private static final int SEARCHED = 1_000;

    private final Runs runs;
    private final Messages messages;
    private final ChatEventStore store;

    StreamedAnswers(Runs runs, Messages messages, ChatEventStore store) {
        this.runs = runs;
        this.messages = messages;
        this.store = store;
    }

    /**
     * A message in the log that a client's is.
     *
     * @param settled whether its text stays, whatever its client calls it later: its run was stopped
     */
    record Target(RevisedMessage message, boolean settled) {}

    /** The messages that some of these are; the others are new. */
    Map<String, Target> of(ThreadId thread, List<NewChatEvent> events) {
        Map<String, Optional<Streamed>> byRun = new HashMap<>();
        Map<String, Target> targets = new HashMap<>();
        for (NewChatEvent event : events) {
            String runId = event.wrapper().runId();
            Role role = MessageReading.role(event.role());
            if (runId == null || role == Role.USER || role == Role.SYSTEM) {
                continue;
            }
            Optional<Streamed> run = byRun.computeIfAbsent(runId, id -> streamed(thread, id));
            run.flatMap(streamed -> streamed.take(event)).ifPresent(target -> targets.put(event.messageId(), target));
        }
        return targets;
    }

    private Optional<Streamed> streamed(ThreadId thread, String runId) {
        Optional<Run> found = runs.find(thread, runId);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Run run = found.get();
        // A member's run lives in its team's.
        Run root = run.root() == null ? run : runs.find(run.root()).orElse(run);
        if (!(root.state() instanceof RunState.Over over)) {
            throw new ProblemException(
                    Problem.RUN_ACTIVE,
                    "Run " + runId + " is still being streamed; send its last event before the messages it came to.");
        }
        Long end = root.lastPosition();
        List<Left> left = new ArrayList<>();
        if (end != null) {
            List<Long> seqs = store.messagesBefore(thread, end, SEARCHED);
            Set<Long> taken = new HashSet<>(store.bySeq(thread, seqs).keySet());
            for (RevisedMessage message : messages.at(thread, seqs)) {
                JsonNode metadata = metadata(message);
                boolean ofRun = metadata.path("run_id").asString("").equals(root.runId());
                String member = metadata.path("subagent_run_id").asString(null);
                if (ofRun && Objects.equals(member, run.root() == null ? null : runId)) {
                    left.add(new Left(
                            message, metadata, taken.contains(message.original().seq())));
                }
            }
        }
        return Optional.of(new Streamed(left, over.ending() == RunState.Ending.CANCELLED));
    }

    private static JsonNode metadata(RevisedMessage message) {
        String json = message.original().said().metadata();
        return json == null ? Json.MAPPER.missingNode() : Json.MAPPER.readTree(json);
    }

    /** A message that a run left; once it is taken another may still stand beside it. */
    private static final class Left {
        private final RevisedMessage message;
        private final JsonNode metadata;
        private boolean taken;

        Left(RevisedMessage message, JsonNode metadata, boolean taken) {
            this.message = message;
            this.metadata = metadata;
            this.taken = taken;
        }

        boolean is(Role role) {
            return message.original().said().role() == role;
        }

        boolean makesOneOf(List<String> calls) {
            return metadata.path("tool_calls")
                    .valueStream()
                    .anyMatch(call -> calls.contains(call.path("id").asString()));
        }

        boolean makesCalls() {
            return !metadata.path("tool_calls").isEmpty();
        }
    }

    /** What one run left. */
    private record Streamed(List<Left> left, boolean stopped) {
        Optional<Target> take(NewChatEvent event) {
            Left found = MessageReading.role(event.role()) == Role.TOOL ? result(event) : answer(event);
            if (found == null) {
                return Optional.empty();
            }
            found.taken = true;
            return Optional.of(new Target(found.message, stopped));
        }

        private @Nullable Left result(NewChatEvent event) {
            String call = new MessageReading(event.message()).toolCallId();
            return call == null
                    ? null
                    : left.stream()
                            .filter(each -> each.is(Role.TOOL)
                                    && each.metadata
                                            .path("tool_call_id")
                                            .asString("")
                                            .equals(call))
                            .findFirst()
                            .orElse(null);
        }

        /** By its calls; else by its text; else the first answer that is not taken; else the last one there is. */
        private @Nullable Left answer(NewChatEvent event) {
            MessageReading reading = new MessageReading(event.message());
            List<String> calls = reading.callIds();
            List<Left> answers =
                    left.stream().filter(each -> each.is(Role.ASSISTANT)).toList();
            if (!calls.isEmpty()) {
                return answers.stream()
                        .filter(each -> each.makesOneOf(calls))
                        .findFirst()
                        .orElse(null);
            }
            List<Left> texts =
                    answers.stream().filter(each -> !each.makesCalls()).toList();
            String text = reading.text();
            return texts.stream()
                    .filter(each -> !each.taken && each.message.content().equals(text))
                    .findFirst()
                    .or(() -> texts.stream().filter(each -> !each.taken).findFirst())
                    .orElseGet(() -> texts.isEmpty() ? null : texts.getLast());
        }
    }
}
