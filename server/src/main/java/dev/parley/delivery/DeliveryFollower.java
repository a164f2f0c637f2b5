package dev.parley.delivery;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Entry;
import dev.parley.log.EntryContent;
import dev.parley.log.EntryKind;
import dev.parley.log.FactSource;
import dev.parley.log.Follower;
import dev.parley.log.Head;
import dev.parley.log.Role;
import dev.parley.log.RunFence;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.threads.ThreadFacts;
import dev.parley.threads.ThreadFactsCache;
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
 * Queues an agent's messages for all destinations of its thread, in parts that their platforms accept. Edits and
 * deletions by an agent are queued for the destinations that have the message. The deliveries are decided with the
 * entry, so neither exists without the other.
 */
public final class DeliveryFollower implements Follower<DeliveryFacts.BatchFacts> {
    /**
     * The metadata fields of messages that are not sent: withdrawn or superseded messages, and messages of subagents.
     */
    private static final List<String> UNSPOKEN = List.of("withdrawn", "superseded", "subagent_run_id");

    private final ThreadFactsCache facts;
    private final Map<String, ChatTransport> transports;
    private final int maxParts;

    /**
     * @param transports the transports of the platforms that this server serves
     * @param maxParts the maximum number of parts of one message
     */
    public DeliveryFollower(ThreadFactsCache facts, Collection<ChatTransport> transports, int maxParts) {
        this.facts = facts;
        this.transports = transports.stream().collect(Collectors.toMap(ChatTransport::source, each -> each));
        this.maxParts = maxParts;
    }

    /** True for a thread that came from a platform; other threads have no destinations. */
    private static boolean isOfPlatform(@Nullable ThreadFacts thread) {
        return thread != null && thread.source() != null;
    }

    @Override
    public DeliveryFacts.BatchFacts read(FactSource source, Collection<Head> heads, List<Command> commands)
            throws SQLException {
        if (transports.isEmpty()) {
            return DeliveryFacts.BatchFacts.NOTHING;
        }
        Map<ThreadId, ThreadFacts> known = facts.read(source, heads);
        Set<ThreadId> threads = new HashSet<>();
        Set<DeliveryFacts.MessageRef> changed = new HashSet<>();
        for (Command command : commands) {
            if (!isOfPlatform(known.get(command.thread()))) {
                continue;
            }
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
                threads.isEmpty() ? Map.of() : DeliveryFacts.routes(source.connection(), threads, sources),
                changed.isEmpty() ? Map.of() : DeliveryFacts.sent(source.connection(), changed, sources));
    }

    private static boolean isAnswer(EntryContent content) {
        return content.kind() == EntryKind.MESSAGE
                && content.role() == Role.ASSISTANT
                && content.author().kind() == Actor.Kind.AGENT
                && !content.text().isBlank();
    }

    /** The message that an agent edits or deletes. */
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

    /**
     * Queues the parts of one batch, and remembers the batch's answers, because a later entry of the batch may revise
     * them.
     */
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
                    .map(message -> sent.getOrDefault(message, List.of()))
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
            sent.computeIfAbsent(
                            new DeliveryFacts.MessageRef(entry.thread(), entry.seq()), message -> new ArrayList<>())
                    .add(new DeliveryFacts.Sent(
                            route.destination(), route.source(), entry.content().id(), parts.size()));
        }

        /**
         * Revises each sent part with the same part of the new text. A text with more parts than were sent ends with a
         * note.
         */
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

        private List<String> split(String source, String text, int limit) {
            ChatTransport transport = transports.get(source);
            return transport == null
                    ? List.of()
                    : new Splitting(transport.largestPart(), limit, transport.size()).split(text);
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
