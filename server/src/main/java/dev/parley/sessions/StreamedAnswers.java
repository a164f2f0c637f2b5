package dev.parley.sessions;

import dev.parley.log.Role;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.Runs;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunState;
import dev.parley.threads.Messages;
import dev.parley.threads.RevisedMessage;
import dev.parley.threads.RunReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Compares the messages that a client posts after a streamed run to the messages that the run left in the log. Both are
 * the same messages, and the log contains each message once.
 */
final class StreamedAnswers {
    /** Number of messages of a run that are read at a time. */
    private static final int PAGE = 200;

    private final Runs runs;
    private final Messages messages;
    private final ChatEventStore store;

    StreamedAnswers(Runs runs, Messages messages, ChatEventStore store) {
        this.runs = runs;
        this.messages = messages;
        this.store = store;
    }

    /**
     * The message of the log for a posted message. If the posted message was streamed, this is the same message;
     * otherwise, it is the message beside which the posted message is stored.
     *
     * @param settled true if the text in the log stays, even if the posted text differs
     * @param covers further messages of the same turn, because Agno streams the calls of one turn one by one
     * @param sight the state in which the message was seen
     */
    record Target(RevisedMessage message, boolean settled, List<Long> covers, ChatEventEffect.Sight sight) {}

    /**
     * The matches of a post.
     *
     * @param targets the messages of the log by posted message id; other posted messages are new
     * @param runs the runs of the posted messages that were streamed
     */
    record Matches(Map<String, Target> targets, Set<String> runs) {
        static final Matches NONE = new Matches(Map.of(), Set.of());

        /** True if the message is new because nothing of its run was seen in the log. */
        boolean isUnstreamed(NewChatEvent event) {
            String runId = event.wrapper().runId();
            return runId != null && isOfRun(event) && !runs.contains(runId);
        }
    }

    private static boolean isOfRun(NewChatEvent event) {
        Role role = MessageReading.role(event.role());
        return role == Role.ASSISTANT || role == Role.TOOL;
    }

    Matches of(ThreadId thread, List<NewChatEvent> events) {
        Map<String, Optional<StreamedRun>> byRun = new HashMap<>();
        Map<String, Target> targets = new HashMap<>();
        for (NewChatEvent event : events) {
            String runId = event.wrapper().runId();
            if (runId != null && isOfRun(event)) {
                byRun.computeIfAbsent(runId, id -> streamed(thread, id))
                        .flatMap(streamed -> streamed.take(event))
                        .ifPresent(target -> targets.put(event.messageId(), target));
            }
        }
        byRun.values().removeIf(Optional::isEmpty);
        return new Matches(targets, byRun.keySet());
    }

    private Optional<StreamedRun> streamed(ThreadId thread, String runId) {
        Optional<Run> found = runs.find(thread, runId);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Run run = found.get();
        // A member's run is a child of its team's run.
        Run root = run.root() == null ? run : runs.find(run.root()).orElse(run);
        if (!(root.state() instanceof RunState.Over over)) {
            throw new ProblemException(
                    Problem.RUN_ACTIVE,
                    "Run " + runId + " is still being streamed; send its last event before its messages.");
        }
        // The last seq is read before the messages, because entries that are appended meanwhile may be missed.
        long seenTo = messages.nextSeq(thread) - 1;
        return Optional.of(new StreamedRun(messagesOf(root, run), over.ending() == RunState.Ending.CANCELLED, seenTo));
    }

    private List<UnmatchedMessage> messagesOf(Run root, Run run) {
        Long first = root.positions().first();
        Long last = root.positions().last();
        List<UnmatchedMessage> left = new ArrayList<>();
        boolean more = first != null && last != null;
        for (long after = 0; more; ) {
            List<Long> seqs = store.messagesBetween(
                    root.thread(),
                    root.agent(),
                    Objects.requireNonNull(first),
                    Objects.requireNonNull(last),
                    after,
                    PAGE);
            Set<Long> taken = store.taken(root.thread(), seqs);
            for (RevisedMessage message : messages.at(root.thread(), seqs)) {
                JsonNode metadata = metadata(message);
                boolean ofRun = metadata.path("run_id").asString("").equals(root.runId())
                        && !RunReport.isSelfReported(metadata);
                String member = metadata.path("subagent_run_id").asString(null);
                if (ofRun && Objects.equals(member, run.root() == null ? null : run.runId())) {
                    left.add(new UnmatchedMessage(
                            message, metadata, taken.contains(message.original().seq())));
                }
            }
            more = seqs.size() == PAGE;
            after = more ? seqs.getLast() : after;
        }
        return left;
    }

    private static JsonNode metadata(RevisedMessage message) {
        String json = message.original().content().metadata();
        return json == null ? Json.MAPPER.missingNode() : Json.MAPPER.readTree(json);
    }

    /**
     * A message that a run left in the log. After it is taken, further posted messages may still be stored beside it.
     */
    private static final class UnmatchedMessage {
        private final RevisedMessage message;
        private final JsonNode metadata;
        private final boolean takenBefore;
        private boolean taken;

        UnmatchedMessage(RevisedMessage message, JsonNode metadata, boolean taken) {
            this.message = message;
            this.metadata = metadata;
            this.takenBefore = taken;
            this.taken = taken;
        }

        boolean is(Role role) {
            return message.original().content().role() == role;
        }

        boolean makes(AgnoCall call) {
            return metadata.path("tool_calls")
                    .valueStream()
                    .anyMatch(made -> call.matches(
                            made.path("id").asString(""),
                            made.path("function").path("name").asString("")));
        }

        boolean makesOnly(List<AgnoCall> calls) {
            return metadata.path("tool_calls")
                    .valueStream()
                    .allMatch(made -> calls.stream()
                            .anyMatch(call -> call.matches(
                                    made.path("id").asString(""),
                                    made.path("function").path("name").asString(""))));
        }

        boolean answers(AgnoCall call) {
            return call.matches(
                    metadata.path("tool_call_id").asString(""),
                    metadata.path("tool_name").asString(""));
        }

        boolean makesCalls() {
            return !metadata.path("tool_calls").isEmpty();
        }
    }

    /** The messages that one run left in the log, and the last of them that its client has posted. */
    private static final class StreamedRun {
        private final List<UnmatchedMessage> left;
        private final boolean stopped;
        private final long seenTo;
        private @Nullable UnmatchedMessage latest;

        StreamedRun(List<UnmatchedMessage> left, boolean stopped, long seenTo) {
            this.left = left;
            this.stopped = stopped;
            this.seenTo = seenTo;
            this.latest = left.stream()
                    .filter(each -> each.takenBefore)
                    .reduce((one, later) -> later)
                    .orElse(null);
        }

        Optional<Target> take(NewChatEvent event) {
            MessageReading reading = new MessageReading(event.message());
            UnmatchedMessage found =
                    best(MessageReading.role(event.role()) == Role.TOOL ? results(reading) : answers(reading), reading);
            if (found == null) {
                return unstreamed();
            }
            found.taken = true;
            latest = found;
            return Optional.of(new Target(found.message, stopped, covered(reading, found), sightOf(found)));
        }

        /**
         * A posted message that was never streamed is stored beside the latest match, and never appended as a second
         * message.
         */
        private Optional<Target> unstreamed() {
            return Optional.ofNullable(latest)
                    .or(() -> left.stream().findFirst())
                    .map(anchor -> new Target(anchor.message, true, List.of(), sightOf(anchor)));
        }

        private ChatEventEffect.Sight sightOf(UnmatchedMessage anchor) {
            return new ChatEventEffect.Sight(anchor.takenBefore, seenTo);
        }

        private List<Long> covered(MessageReading reading, UnmatchedMessage found) {
            List<AgnoCall> calls = reading.callsMade();
            List<UnmatchedMessage> others = left.stream()
                    .filter(each -> each != found && !each.taken && each.makesCalls() && each.makesOnly(calls))
                    .toList();
            others.forEach(each -> each.taken = true);
            return others.stream().map(each -> each.message.original().seq()).toList();
        }

        /**
         * The free candidate with the same text, or else the first free candidate, or else the last of all candidates.
         */
        private static @Nullable UnmatchedMessage best(List<UnmatchedMessage> candidates, MessageReading reading) {
            List<UnmatchedMessage> free =
                    candidates.stream().filter(each -> !each.taken).toList();
            return free.stream()
                    .filter(each -> !reading.differsFrom(each.message.content()))
                    .findFirst()
                    .or(() -> free.stream().findFirst())
                    .orElseGet(() -> candidates.isEmpty() ? null : candidates.getLast());
        }

        private List<UnmatchedMessage> results(MessageReading reading) {
            return reading.callAnswered()
                    .map(call -> left.stream()
                            .filter(each -> each.is(Role.TOOL) && each.answers(call))
                            .toList())
                    .orElse(List.of());
        }

        /**
         * The messages that make one of the calls of the posted message. If it makes no calls, the messages without
         * calls.
         */
        private List<UnmatchedMessage> answers(MessageReading reading) {
            List<AgnoCall> calls = reading.callsMade();
            return left.stream()
                    .filter(each -> each.is(Role.ASSISTANT)
                            && (calls.isEmpty()
                                    ? !each.makesCalls()
                                    : calls.stream().anyMatch(each::makes)))
                    .toList();
        }
    }
}
