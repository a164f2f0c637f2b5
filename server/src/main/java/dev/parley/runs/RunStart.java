package dev.parley.runs;

import dev.parley.attachments.Attached;
import dev.parley.auth.Principal;
import dev.parley.log.Change;
import dev.parley.log.Digest;
import dev.parley.log.Draft;
import dev.parley.log.EntryKey;
import dev.parley.log.EntryKind;
import dev.parley.log.Fingerprint;
import dev.parley.log.Role;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.runs.input.NewMessages;
import dev.parley.runs.input.RunOptions;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunEffect;
import dev.parley.runs.lifecycle.RunEntries;
import dev.parley.runs.lifecycle.RunState;
import dev.parley.runs.lifecycle.RunStore;
import dev.parley.runs.lifecycle.RunUpdate;
import dev.parley.threads.Metadata;
import dev.parley.threads.RevisedMessage;
import dev.parley.threads.ThreadEffect;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The one command that starts a run: results of earlier calls, the user's messages, the run, and what else its client
 * sent, in this order.
 *
 * @param joining the agent joins the thread, if it is not in it yet
 * @param parent the run that the client named as its parent
 * @param again the message that is to be answered again, or whose place the new one takes
 * @param input what the run is given, without the tokens of its URLs
 */
public record RunStart(
        UUID task,
        ThreadId thread,
        Principal caller,
        Actor agent,
        Run.Driver driver,
        RunAgentInput input,
        RunOptions options,
        @Nullable ThreadEffect joining,
        @Nullable UUID parent,
        @Nullable RevisedMessage again,
        NewMessages said) {
    private static final int MAX_METADATA = 16 * 1024;

    /** The hash by which a repeated request is known: who asked, and for what. */
    static Digest fingerprint(Principal caller, RunAgentInput input) {
        ObjectNode asked = Json.MAPPER.valueToTree(input);
        // However it is spelled, it is this thread.
        asked.remove("threadId");
        return Fingerprint.of(caller.actor().value(), List.of(), asked, null);
    }

    /** Everything, for a run that waits for its turn. */
    List<Change> queued() {
        List<Change> changes = new ArrayList<>(changesBefore());
        changes.add(new Change.Apply(opened(RunState.Queued.FIRST)));
        changes.addAll(changesAfter());
        changes.add(RunUpdate.of(input.runId(), agent, RunState.Queued.FIRST));
        return changes;
    }

    /** Everything, for a run that begins with it; its first event stands directly behind where it was opened. */
    List<Change> begun(RunState.Running state, Change firstEvent) {
        List<Change> changes = new ArrayList<>(changesBefore());
        changes.add(RunUpdate.of(input.runId(), agent, state));
        changes.add(new Change.Apply(opened(state)));
        changes.add(firstEvent);
        changes.addAll(changesAfter());
        return changes;
    }

    /**
     * Whether it can begin with its start if nothing is in its way. Not if its agent is only just joining: what an agent
     * may do is judged by how the thread was before. And not if its start appends something behind it.
     */
    boolean mayBegin() {
        return driver == Run.Driver.NODE && joining == null && again == null;
    }

    /** What stands before the run. */
    private List<Change> changesBefore() {
        List<Change> changes = new ArrayList<>();
        if (joining != null) {
            changes.add(new Change.Apply(joining));
        }
        said.results().forEach(result -> changes.add(new Change.Append(result(result))));
        said.questions().forEach(question -> changes.add(new Change.Append(question(question))));
        if (!said.objects().isEmpty()) {
            // From now on they stay, and the thread's readers see them.
            changes.add(new Change.Apply(Attached.of(thread, said.objects())));
        }
        return changes;
    }

    /** What the run does before it says anything. */
    private List<Change> changesAfter() {
        List<Change> changes = new ArrayList<>();
        boolean newQuestion = !said.questions().isEmpty();
        if (again != null) {
            long seq = again.original().seq();
            changes.add(new Change.Append(RunEntries.revision(EntryKind.SUPERSESSION, seq, caller.actor())));
            changes.add(new Change.Apply(
                    new RunEffect.Overtaken(thread, task, again.original().position())));
            if (newQuestion) {
                changes.add(new Change.Append(RunEntries.revision(EntryKind.WITHDRAWAL, seq, caller.actor())));
            }
        }
        newState().ifPresent(json -> changes.add(new Change.Apply(new RunEffect.StateReplaced(thread, json))));
        if (!input.resume().isEmpty()) {
            changes.add(new Change.Apply(new RunEffect.QuestionsAnswered(
                    thread,
                    task,
                    input.resume().stream().map(entry -> entry.interruptId()).toList())));
        }
        if (!said.results().isEmpty()) {
            changes.add(new Change.Apply(new RunEffect.CallsAnswered(
                    thread,
                    task,
                    said.results().stream().map(result -> result.call().id()).toList())));
        }
        return changes;
    }

    private Draft question(NewMessages.Question question) {
        Message.User user = question.message();
        ObjectNode metadata = given(user);
        metadata.put("run_id", input.runId());
        if (user.name() != null) {
            metadata.put("name", user.name());
        }
        if (user.encryptedValue() != null) {
            metadata.put("encrypted_value", user.encryptedValue());
        }
        question.files().putInto(metadata);
        Draft draft = RunEntries.message(
                user.id(), caller.actor(), Role.USER, user.content().plainText(), metadata, List.of(), user.id());
        return question.once() ? draft.insistingOn(user.id()) : draft;
    }

    private Draft result(NewMessages.Result brought) {
        Message.Tool result = brought.message();
        RunStore.LeftCall call = brought.call();
        ObjectNode metadata = Json.MAPPER
                .createObjectNode()
                .put("run_id", input.runId())
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

    /** What the client says about its own message; what only the server says is left out, since clients send it back. */
    private static ObjectNode given(Message.User user) {
        ObjectNode metadata = Json.MAPPER.createObjectNode();
        metadata.setAll(Metadata.ofClient(user.metadata()));
        return Json.MAPPER.writeValueAsBytes(metadata).length <= MAX_METADATA
                ? metadata
                : Json.MAPPER.createObjectNode().put("truncated", true);
    }

    private RunEffect.Opened opened(RunState.Unfinished state) {
        return new RunEffect.Opened(
                task,
                thread,
                input.runId(),
                agent,
                caller.actor(),
                driver,
                Run.Origin.CLIENT,
                options.strategy(),
                parent,
                null,
                state,
                fingerprint(caller, input),
                Json.MAPPER.writeValueAsString(input),
                again == null ? null : Long.valueOf(again.original().seq()),
                !said.questions().isEmpty(),
                0,
                0);
    }

    /** An empty object is what clients send who have no state; it replaces nothing. */
    private Optional<String> newState() {
        JsonNode state = input.state();
        return state == null || state.isNull() || state.isObject() && state.isEmpty()
                ? Optional.empty()
                : Optional.of(Json.MAPPER.writeValueAsString(state));
    }
}
