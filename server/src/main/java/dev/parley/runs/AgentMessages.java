package dev.parley.runs;

import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.log.CommandOutcome;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.lifecycle.Run;
import dev.parley.threads.Messages;
import dev.parley.threads.RunReport;
import dev.parley.threads.Speaker;
import dev.parley.threads.ThreadAccess;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * The front door of messages that agents post. An agent with its own token may report on its own run: the stage, the
 * latency, the tool and the card.
 */
public final class AgentMessages {
    private final Runs runs;
    private final Messages messages;
    private final ThreadAccess access;
    private final int maxId;

    public AgentMessages(Runs runs, Messages messages, ThreadAccess access, int maxId) {
        this.runs = runs;
        this.messages = messages;
        this.access = access;
        this.maxId = maxId;
    }

    /** Posts a message; a repeated key returns the first entry. */
    public CommandOutcome.Placed post(
            Principal caller, Speaker speaker, ThreadId thread, Messages.Utterance utterance) {
        caller.requireScope(Capability.CAN_SEND);
        messages.requireWellFormed(utterance);
        Messages.Context context = utterance.context();
        if (context == null) {
            return messages.post(caller, speaker, thread, utterance);
        }
        ObjectNode metadata = utterance.metadata();
        Optional<String> reported = RunReport.firstIn(metadata);
        if (metadata != null && reported.isPresent() && caller instanceof Principal.Agent) {
            context = inOwnRun(caller, thread, context, metadata, reported.get());
        } else if (context.runId() != null) {
            context = context.in(runs.runIdOf(thread, context.runId()), false);
        }
        return messages.post(caller, speaker, thread, utterance.in(context));
    }

    /** The context with the run that the caller names; refused if the caller is not the agent of that run. */
    private Messages.Context inOwnRun(
            Principal caller, ThreadId thread, Messages.Context context, ObjectNode metadata, String reported) {
        RunReport.requireWellFormed(metadata, maxId);
        String inMetadata = RunReport.runIn(metadata);
        String named = context.runId() == null ? inMetadata : context.runId();
        if (named == null) {
            throw ProblemException.invalidField(
                    "run_id", "is required with metadata." + reported + ": name a run of your own in this thread");
        }
        Run run = requireOwn(caller, thread, named, reported);
        if (inMetadata != null && !isNamedBy(run, inMetadata)) {
            throw ProblemException.invalidField("metadata.run_id", "must name the same run as run_id, or be left out");
        }
        return context.in(run.runId(), true);
    }

    private Run requireOwn(Principal caller, ThreadId thread, String named, String reported) {
        Optional<Run> own = runs.find(thread, named).filter(run -> run.agent().equals(caller.actor()));
        if (own.isEmpty()) {
            // A caller outside the thread must not learn about the thread's runs.
            access.requireSeen(caller, thread);
        }
        return own.orElseThrow(() -> ProblemException.invalidField(
                "run_id",
                "names no run of this agent in this thread; open it by posting its events, or leave out metadata."
                        + reported));
    }

    private static boolean isNamedBy(Run run, String id) {
        return run.runId().equals(id) || run.taskId().toString().equalsIgnoreCase(id);
    }
}
