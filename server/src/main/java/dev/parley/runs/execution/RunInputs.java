package dev.parley.runs.execution;

import dev.parley.assembly.ContextInputs;
import dev.parley.limits.Limits;
import dev.parley.log.Event;
import dev.parley.log.LogReader;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.runs.input.GivenMessages;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunStore;
import dev.parley.threads.Messages;
import dev.parley.threads.ReadMessage;
import dev.parley.threads.Recall;
import dev.parley.threads.RecentMessages;
import dev.parley.threads.RevisedMessage;
import dev.parley.threads.ThreadAccess;
import dev.parley.threads.ThreadSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Gathers the inputs of a run's context: the thread's messages when the run begins, and the client's own material. */
public final class RunInputs {
    private final RunStore store;
    private final ThreadAccess access;
    private final RecentMessages recent;
    private final Recall recall;

    public RunInputs(
            RunStore store,
            ThreadAccess access,
            Messages messages,
            LogReader reader,
            Recall recall,
            Limits.Contexts limits) {
        this.store = store;
        this.access = access;
        this.recent = new RecentMessages(messages, reader, limits.messages(), limits.memory());
        this.recall = recall;
    }

    /** Remembers the entries of this node's commits. Later runs need not read these entries from the database. */
    public void committed(List<Event> events) {
        recent.committed(events);
    }

    /**
     * @param before the seq after the last message that the run sees
     * @param results the tool messages of the input that became entries
     * @param names the display names of the thread's members
     */
    ContextInputs of(
            Run run,
            long before,
            List<RevisedMessage> triggers,
            RunAgentInput input,
            List<Message.Tool> results,
            Map<Actor, String> names) {
        Set<Long> own = new HashSet<>(run.triggers());
        // A run that answers an earlier message anew may see later revisions, so its messages are not taken from
        // memory.
        List<ReadMessage> seen = new ArrayList<>(
                run.readsTo() == null ? recent.before(run.thread(), before) : recent.read(run.thread(), before));
        seen.removeIf(message -> own.contains(message.seq()));
        triggers.forEach(trigger -> seen.add(ReadMessage.of(trigger)));
        return new ContextInputs(
                run.thread(),
                run.agent(),
                seen,
                own,
                store.otherTriggers(run),
                names,
                recalled(run, triggers),
                GivenMessages.in(input, results, seen),
                input.context().stream()
                        .map(each -> new ContextInputs.Given(each.description(), each.value()))
                        .toList(),
                List.of());
    }

    /** The display names of the members of the run's thread. */
    Map<Actor, String> names(Run run) {
        return names(access.roster(run.agent(), run.thread()));
    }

    static Map<Actor, String> names(List<ThreadSnapshot.Member> members) {
        return members.stream()
                .collect(Collectors.toMap(ThreadSnapshot.Member::actor, ThreadSnapshot.Member::displayName));
    }

    /** The earlier messages recalled for the triggers that request a recall. */
    private Map<Long, List<RevisedMessage>> recalled(Run run, List<RevisedMessage> triggers) {
        Map<Long, List<RevisedMessage>> recalled = new HashMap<>();
        for (RevisedMessage trigger : triggers) {
            String metadata = trigger.original().content().metadata();
            if (metadata != null
                    && metadata.contains("trigger_rag")
                    && Json.MAPPER.readTree(metadata).path("trigger_rag").asBoolean(false)) {
                List<RevisedMessage> earlier = recall.find(
                        run.agent(),
                        run.thread(),
                        trigger.content(),
                        trigger.original().seq());
                if (!earlier.isEmpty()) {
                    recalled.put(trigger.original().seq(), earlier);
                }
            }
        }
        return recalled;
    }
}
