package dev.parley.runs;

import dev.parley.agents.RegisteredAgent;
import dev.parley.attachments.Attachments;
import dev.parley.attachments.ObjectKey;
import dev.parley.auth.Principal;
import dev.parley.log.Digest;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.runs.input.NewMessages;
import dev.parley.runs.input.RunFiles;
import dev.parley.runs.input.RunInputRules;
import dev.parley.runs.input.RunOptions;
import dev.parley.runs.input.TokenFreeInput;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunStore;
import dev.parley.threads.RevisedMessage;
import dev.parley.threads.ThreadRoster;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Starts runs for clients that send one user message with each run. */
final class RunStarter {
    private final RunStore store;
    private final Attachments attachments;
    private final AskedQuestions questions;
    private final AgentChoice choice;
    private final RunLauncher launcher;
    private final RunInputRules inputRules;

    RunStarter(
            RunStore store,
            Attachments attachments,
            AskedQuestions questions,
            AgentChoice choice,
            RunLauncher launcher,
            RunInputRules inputRules) {
        this.store = store;
        this.attachments = attachments;
        this.questions = questions;
        this.choice = choice;
        this.launcher = launcher;
        this.inputRules = inputRules;
    }

    /** Starts the run of a body, or finds the run that the same request started before. */
    Run start(Principal caller, JsonNode body) {
        RunAgentInput given = inputRules.check(body);
        RunLauncher.requireScopes(caller);
        ThreadId thread = ThreadId.parse(given.threadId()).orElseThrow();
        RunOptions options = RunOptions.of(given.forwardedProps());
        Optional<ThreadRoster> known = launcher.findThread(caller, thread);
        // From here on, the input contains no tokens, because a retry may send a fresh URL of the same object.
        RunAgentInput input = TokenFreeInput.of(given, attachments::nameIn);
        Optional<Run> existing = known.flatMap(roster -> store.find(thread, input.runId()));
        if (existing.isPresent()) {
            return repeated(caller, input, existing.get());
        }
        launcher.requireOpen();
        RunFiles files = RunFiles.require(given, (url, type) -> attachments.usable(caller, url, type));
        RegisteredAgent agent = choice.agentFor(caller, options, known, input);
        RunOptions.requireRead(input.forwardedProps(), agent.kind());
        RunLauncher.Plan plan = plan(caller, thread, input, options, known.isPresent(), files);
        try {
            return launcher.launch(caller, thread, known, agent, plan);
        } catch (ProblemException refused) {
            // Another request with the same runId was faster, and may be the same request sent twice.
            Optional<Run> other =
                    refused.problem() == Problem.KEY_REUSED ? store.find(thread, input.runId()) : Optional.empty();
            return repeated(caller, input, other.orElseThrow(() -> refused));
        }
    }

    private Run repeated(Principal caller, RunAgentInput input, Run existing) {
        Digest requested = RunStart.fingerprint(caller, input);
        if (store.fingerprint(existing.taskId()).filter(requested::equals).isEmpty()
                && !store.isErased(existing.taskId(), caller.actor())) {
            throw new ProblemException(
                    Problem.KEY_REUSED,
                    "This runId names another run in this thread (" + existing.taskId() + "); use a new runId.");
        }
        launcher.makeWay(existing);
        return existing;
    }

    private RunLauncher.Plan plan(
            Principal caller, ThreadId thread, RunAgentInput input, RunOptions options, boolean known, RunFiles files) {
        UUID parent = parentOf(thread, input.parentRunId(), known);
        RevisedMessage repeatedQuestion = questions.requested(thread, options, known);
        Message.User user = (Message.User) input.messages().getFirst();
        boolean sameQuestion = repeatedQuestion != null && isSameQuestion(repeatedQuestion, user);
        if (repeatedQuestion != null && !sameQuestion) {
            AskedQuestions.requireOwn(caller, repeatedQuestion);
        }
        ResumeRules.requireWellFormed(input, known);
        NewMessages newMessages = new NewMessages(
                known ? results(thread, input) : List.of(),
                sameQuestion ? List.of() : List.of(new NewMessages.Question(user, files, false)),
                files.all());
        return new RunLauncher.Plan(input, options, parent, repeatedQuestion, newMessages);
    }

    private @Nullable UUID parentOf(ThreadId thread, @Nullable String runId, boolean known) {
        if (runId == null) {
            return null;
        }
        return (known ? store.find(thread, runId) : Optional.<Run>empty())
                .map(Run::taskId)
                .orElseThrow(() -> ProblemException.invalidField("parentRunId", "names no run of this thread"));
    }

    /**
     * The results that the input contains for open calls. Any caller may send a result, and the first result for a call
     * counts.
     */
    private List<NewMessages.Result> results(ThreadId thread, RunAgentInput input) {
        List<Message.Tool> brought = input.messages().stream()
                .filter(Message.Tool.class::isInstance)
                .map(Message.Tool.class::cast)
                .toList();
        if (brought.isEmpty()) {
            return List.of();
        }
        return NewMessages.Result.of(
                store.openCalls(
                        thread, brought.stream().map(Message.Tool::toolCallId).toList()),
                brought);
    }

    /**
     * True if the user message repeats a question unchanged: it has the same text, and the same images or no images.
     */
    private static boolean isSameQuestion(RevisedMessage repeatedQuestion, Message.User user) {
        List<String> images = RunFiles.urlsIn(user);
        return repeatedQuestion.content().equals(user.content().plainText())
                && (images.isEmpty()
                        || images.equals(RunFiles.keysIn(
                                        repeatedQuestion.original().content().metadata())
                                .stream()
                                .map(ObjectKey::toString)
                                .toList()));
    }
}
