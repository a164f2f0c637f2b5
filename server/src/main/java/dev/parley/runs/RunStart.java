package dev.parley.runs;

import dev.parley.attachments.Attached;
import dev.parley.auth.Principal;
import dev.parley.log.Change;
import dev.parley.log.CommandOutcome;
import dev.parley.log.Digest;
import dev.parley.log.Draft;
import dev.parley.log.EntryKey;
import dev.parley.log.EntryKind;
import dev.parley.log.Event;
import dev.parley.log.Fingerprint;
import dev.parley.log.Role;
import dev.parley.protocol.Json;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.runs.input.NewMessages;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunBirth;
import dev.parley.runs.lifecycle.RunEffect;
import dev.parley.runs.lifecycle.RunEntries;
import dev.parley.runs.lifecycle.RunIdentity;
import dev.parley.runs.lifecycle.RunState;
import dev.parley.runs.lifecycle.RunStore;
import dev.parley.runs.lifecycle.RunUpdate;
import dev.parley.threads.Metadata;
import dev.parley.threads.RevisedMessage;
import dev.parley.threads.ThreadEffect;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The one command that starts a run. It contains results of earlier calls, the user's messages, the run, and further
 * changes of the start, in this order.
 *
 * @param input the client's input, without the tokens of its URLs
 * @param joining adds the agent to the thread; null if the agent is a member already
 * @param repeatedQuestion the message that the run answers anew, or that the client's new message replaces
 */
record RunStart(
        RunIdentity run,
        Principal caller,
        RunAgentInput input,
        @Nullable ThreadEffect joining,
        @Nullable RevisedMessage repeatedQuestion,
        NewMessages newMessages) {
    private static final int MAX_METADATA = 16 * 1024;

    /** The hash that recognises a repeated request, made from its caller and its input. */
    static Digest fingerprint(Principal caller, RunAgentInput input) {
        ObjectNode request = Json.MAPPER.valueToTree(input);
        // The thread's id is left out, because several spellings name the same thread.
        request.remove("threadId");
        return Fingerprint.of(caller.actor().value(), List.of(), request, null);
    }

    /** All changes, for a run that waits for its turn. */
    List<Change> queued() {
        return withChangesBefore(birth().queued(changesAfter()));
    }

    /** All changes, for a run that begins at once. */
    List<Change> running(RunState.Running state, RunEvent.Started started) {
        return withChangesBefore(birth().running(state, started, changesAfter()));
    }

    /** The run as it is stored after {@link #running} is committed. */
    Run begun(RunState.Running state, CommandOutcome.Done done) {
        Event opened = done.events().stream()
                .filter(event -> event instanceof Event.Announced announced
                        && announced.type().equals(RunUpdate.TYPE))
                .findFirst()
                .orElseThrow();
        return new RunEffect.Opened(bareBirth(), state, opened.position(), opened.seq(), opened.createdAt()).toRun();
    }

    private RunBirth birth() {
        return bareBirth()
                .asked(new RunBirth.Request(fingerprint(caller, input), Json.MAPPER.writeValueAsString(input)));
    }

    /** The birth without the client's input, which is expensive to write. */
    private RunBirth bareBirth() {
        return RunBirth.of(run)
                .answeringAnew(
                        repeatedQuestion == null
                                ? null
                                : Long.valueOf(repeatedQuestion.original().seq()))
                .answeringLast(!newMessages.questions().isEmpty());
    }

    /**
     * True if the run may begin at once, unless another run is in its way. A run whose agent joins with the same
     * command may not begin at once, since rights are judged by the thread as it was before the command. A run whose
     * start appends entries after the run may not begin at once either.
     */
    boolean mayRunAtOnce() {
        return run.driver() == Run.Driver.NODE && joining == null && repeatedQuestion == null;
    }

    /** All changes of the start: the changes that precede the run's birth, and then the birth itself. */
    private List<Change> withChangesBefore(List<Change> birth) {
        List<Change> changes = new ArrayList<>();
        if (joining != null) {
            changes.add(new Change.Apply(joining));
        }
        newMessages.results().forEach(result -> changes.add(new Change.Append(result(result))));
        newMessages.questions().forEach(question -> changes.add(new Change.Append(question(question))));
        if (!newMessages.objects().isEmpty()) {
            // From now on the files cannot be removed, and the thread's readers can see them.
            changes.add(new Change.Apply(Attached.of(run.thread(), newMessages.objects())));
        }
        changes.addAll(birth);
        return changes;
    }

    /** The changes of the start after the run is opened. */
    private List<Change> changesAfter() {
        List<Change> changes = new ArrayList<>();
        boolean newQuestion = !newMessages.questions().isEmpty();
        if (repeatedQuestion != null) {
            long seq = repeatedQuestion.original().seq();
            changes.add(new Change.Append(RunEntries.revision(EntryKind.SUPERSESSION, seq, caller.actor())));
            changes.add(new Change.Apply(new RunEffect.Overtaken(
                    run.thread(), run.taskId(), repeatedQuestion.original().position())));
            if (newQuestion) {
                changes.add(new Change.Append(RunEntries.revision(EntryKind.WITHDRAWAL, seq, caller.actor())));
            }
        }
        newState().ifPresent(json -> changes.add(new Change.Apply(new RunEffect.StateReplaced(run.thread(), json))));
        if (!input.resume().isEmpty()) {
            changes.add(new Change.Apply(new RunEffect.QuestionsAnswered(
                    run.thread(),
                    run.taskId(),
                    input.resume().stream().map(entry -> entry.interruptId()).toList())));
        }
        if (!newMessages.results().isEmpty()) {
            changes.add(new Change.Apply(new RunEffect.CallsAnswered(
                    run.thread(),
                    run.taskId(),
                    newMessages.results().stream()
                            .map(result -> result.call().id())
                            .toList())));
        }
        return changes;
    }

    private Draft question(NewMessages.Question question) {
        Message.User user = question.message();
        ObjectNode metadata = given(user);
        metadata.put("run_id", run.runId());
        if (user.name() != null) {
            metadata.put("name", user.name());
        }
        if (user.encryptedValue() != null) {
            metadata.put("encrypted_value", user.encryptedValue());
        }
        question.files().putInto(metadata);
        Draft draft = RunEntries.message(
                user.id(), caller.actor(), Role.USER, user.content().plainText(), metadata, List.of(), user.id());
        return question.hasUniqueId() ? draft.insistingOn(user.id()) : draft;
    }

    private Draft result(NewMessages.Result brought) {
        Message.Tool result = brought.message();
        RunStore.LeftCall call = brought.call();
        ObjectNode metadata = Json.MAPPER
                .createObjectNode()
                .put("run_id", run.runId())
                .put("stage", "tool_execution")
                .put("message_id", result.id())
                .put("tool_name", call.tool())
                .put("tool_call_id", call.id());
        if (result.error() != null) {
            metadata.put("error", result.error());
        }
        brought.files().putInto(metadata);
        return RunEntries.message(
                        result.id(),
                        call.agent(),
                        Role.TOOL,
                        result.content().plainText(),
                        metadata,
                        List.of(),
                        result.id())
                .keyed(EntryKey.toolResult(call.task(), call.id()));
    }

    /** The client's metadata of its message. The server's own keys are left out, since clients send them back. */
    private static ObjectNode given(Message.User user) {
        ObjectNode metadata = Json.MAPPER.createObjectNode();
        metadata.setAll(Metadata.ofClient(user.metadata()));
        return Json.MAPPER.writeValueAsBytes(metadata).length <= MAX_METADATA
                ? metadata
                : Json.MAPPER.createObjectNode().put("truncated", true);
    }

    /** The client's new state. Clients without a state send an empty object, which replaces nothing. */
    private Optional<String> newState() {
        JsonNode state = input.state();
        return state == null || state.isNull() || state.isObject() && state.isEmpty()
                ? Optional.empty()
                : Optional.of(Json.MAPPER.writeValueAsString(state));
    }
}
