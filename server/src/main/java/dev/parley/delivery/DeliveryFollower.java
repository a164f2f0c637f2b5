package dev.parley.delivery;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Entry;
import dev.parley.log.EntryContent;
import dev.parley.log.EntryKind;
import dev.parley.log.Follower;
import dev.parley.log.Head;
import dev.parley.log.Role;
import dev.parley.log.RunFence;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What an agent says in a thread goes to every place that hears the thread, in parts that the place can take; and when it
 * changes or takes back what it said, so do the places that have it. Decided with the entry, so that there is never one
 * without the other.
 */
public final class DeliveryFollower implements Follower<DeliveryFacts.BatchFacts> {
    /** What marks a message that counts for nobody, or that was said to another agent and not to people. */
    private static final List<String> UNSPOKEN = List.of("withdrawn", "superseded", "subagent_run_id");

    private final Map<String, ChatTransport> transports;
    private final int maxParts;

    /**
     * @param transports for the places that are served here
     * @param maxParts of one message
     */
    public DeliveryFollower(Collection<ChatTransport> transports, int maxParts) {
        this.transports = transports.stream().collect(Collectors.toMap(ChatTransport::source, each -> each));
        this.maxParts = maxParts;
    }

    @Override
    public DeliveryFacts.BatchFacts read(Connection connection, Collection<Head> heads, List<Command> commands)
            throws SQLException {
        if (transports.isEmpty()) {
            return DeliveryFacts.BatchFacts.NOTHING;
        }
        Set<ThreadId> threads = new HashSet<>();
        Set<DeliveryFacts.MessageRef> changed = new HashSet<>();
        for (Command command : commands) {
            for (Change change : command.changes()) {
                if (change instanceof Change.Append(var draft)) {
                    if (isAnswer(draft.content())) {
                        threads.add(command.thread());
                    }
                    changedBy(command.thread(), draft.content()).ifPresent(changed::add);
                }
            }
        }
        Set<String> sources = transports.keySet();
        return new DeliveryFacts.BatchFacts(
                threads.isEmpty() ? Map.of() : DeliveryFacts.routes(connection, threads, sources),
                changed.isEmpty() ? Map.of() : DeliveryFacts.sent(connection, changed, sources));
    }

    private static boolean isAnswer(EntryContent content) {
        return content.kind() == EntryKind.MESSAGE
                && content.role() == Role.ASSISTANT
                && content.author().kind() == Actor.Kind.AGENT
                && !content.text().isBlank();
    }

    /** The message that an agent changes or takes back. */
    private static Optional<DeliveryFacts.MessageRef> changedBy(ThreadId thread, EntryContent content) {
        Long target = content.targetSeq();
        boolean changes = content.kind() == EntryKind.EDIT || content.kind() == EntryKind.DELETION;
        return changes && target != null && content.author().kind() == Actor.Kind.AGENT
                ? Optional.of(new DeliveryFacts.MessageRef(thread, target))
                : Optional.empty();
    }

    @Override
    public Consequences over(DeliveryFacts.BatchFacts facts) {
        return new Parcelling(facts);
    }

    /** Counts what it sends: an answer may be changed in the same batch. */
    private final class Parcelling implements Consequences {
        private final DeliveryFacts.BatchFacts facts;
        private final Map<DeliveryFacts.MessageRef, List<DeliveryFacts.Sent>> sent;

        Parcelling(DeliveryFacts.BatchFacts facts) {
            this.facts = facts;
            this.sent = new HashMap<>(facts.sent());
        }

        @Override
        public List<Change> follow(Command command, Entry entry) {
            RunFence fence = command.fence();
            String run = fence == null ? null : "run_" + fence.run();
            List<QueuedParcel> parcels = new ArrayList<>();
            if (isAnswer(entry.content()) && !isUnspoken(entry.content())) {
                Map<String, List<String>> parts = new HashMap<>();
                for (DeliveryFacts.Route route : facts.routes().getOrDefault(entry.thread(), List.of())) {
                    answer(
                            parcels,
                            entry,
                            run,
                            route,
                            parts.computeIfAbsent(
                                    route.source(),
                                    source -> split(source, entry.content().text(), maxParts)));
                }
            }
            changedBy(entry.thread(), entry.content())
                    .map(spot -> sent.getOrDefault(spot, List.of()))
                    .orElse(List.of())
                    .forEach(before -> change(parcels, entry, run, before));
            return parcels.isEmpty() ? List.of() : List.of(new Change.Apply(new DeliveryEffect(parcels)));
        }

        private void answer(
                List<QueuedParcel> parcels,
                Entry entry,
                @Nullable String run,
                DeliveryFacts.Route route,
                List<String> parts) {
            for (int i = 0; i < parts.size(); i++) {
                parcels.add(QueuedParcel.of(
                        route.destination(),
                        entry.thread(),
                        entry.seq(),
                        entry.content().id(),
                        run,
                        null,
                        i + 1,
                        parts.size(),
                        parts.get(i)));
            }
            sent.computeIfAbsent(new DeliveryFacts.MessageRef(entry.thread(), entry.seq()), spot -> new ArrayList<>())
                    .add(new DeliveryFacts.Sent(
                            route.destination(), route.source(), entry.content().id(), parts.size()));
        }

        /** Each part that is there gets what stands in its place now; what is too long for them says so. */
        private void change(List<QueuedParcel> parcels, Entry entry, @Nullable String run, DeliveryFacts.Sent before) {
            List<String> parts = entry.content().kind() == EntryKind.DELETION
                    ? List.of()
                    : split(before.source(), entry.content().text(), before.parts());
            for (int i = 0; i < before.parts(); i++) {
                parcels.add(QueuedParcel.of(
                        before.destination(),
                        entry.thread(),
                        entry.seq(),
                        before.messageId(),
                        run,
                        entry.content().targetSeq(),
                        i + 1,
                        before.parts(),
                        i < parts.size() ? parts.get(i) : ""));
            }
        }

        private List<String> split(String source, String text, int most) {
            ChatTransport transport = transports.get(source);
            return transport == null
                    ? List.of()
                    : new Splitting(transport.largestPart(), most, transport.size()).split(text);
        }
    }

    private static boolean isUnspoken(EntryContent content) {
        String metadata = content.metadata();
        if (metadata == null) {
            return false;
        }
        JsonNode read = Json.MAPPER.readTree(metadata);
        return UNSPOKEN.stream().anyMatch(read::has);
    }
}
