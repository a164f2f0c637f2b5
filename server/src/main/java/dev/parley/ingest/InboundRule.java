package dev.parley.ingest;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Entry;
import dev.parley.log.EntryKind;
import dev.parley.log.FactSource;
import dev.parley.log.Head;
import dev.parley.log.Refusal;
import dev.parley.log.Rule;
import dev.parley.protocol.Problem;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Refuses an inbound message that is already stored in any thread, because the log's own keys cover one thread only. An
 * unanswered inbound event becomes answered at most once.
 */
public final class InboundRule implements Rule<InboundRule.Facts> {
    /**
     * The facts about the inbound events of a batch.
     *
     * @param known the events whose message is stored already
     * @param open the events that no agent answers
     */
    record Facts(Set<UUID> known, Set<UUID> open) {
        static final Facts NONE = new Facts(Set.of(), Set.of());
    }

    @Override
    public Facts read(FactSource source, Collection<Head> heads, List<Command> commands) throws SQLException {
        List<InboundEvent> received = new ArrayList<>();
        List<UUID> raised = new ArrayList<>();
        for (Command command : commands) {
            for (Change change : command.changes()) {
                switch (change) {
                    case Change.Apply(InboundEffect.Received(InboundEvent event)) -> received.add(event);
                    case Change.Apply(InboundEffect.Raised(UUID id, Verdict verdict)) -> raised.add(id);
                    default -> {}
                }
            }
        }
        return received.isEmpty() && raised.isEmpty()
                ? Facts.NONE
                : new Facts(
                        InboundFacts.known(source.connection(), received),
                        InboundFacts.open(source.connection(), raised));
    }

    @Override
    public Judge over(Facts facts) {
        return new InboundJudge(facts);
    }

    /** Records the seq of an inbound message. This method is a {@code Follower} of the log. */
    public static List<Change> follow(Command command, Entry entry) {
        if (entry.content().kind() != EntryKind.MESSAGE) {
            return List.of();
        }
        return received(command)
                .<Change>map(event -> new Change.Apply(new InboundEffect.Placed(
                        event, entry.seq(), entry.content().id(), event.verdict(entry.engagement()))))
                .map(List::of)
                .orElse(List.of());
    }

    /** The inbound event of a command, which has at most one. */
    private static Optional<InboundEvent> received(Command command) {
        for (Change change : command.changes()) {
            if (change instanceof Change.Apply(InboundEffect.Received(InboundEvent event))) {
                return Optional.of(event);
            }
        }
        return Optional.empty();
    }

    /**
     * Decides about the inbound events of one batch. The decision remembers the keys of the batch, so that the second
     * of two twins in one batch is refused.
     */
    private static final class InboundJudge implements Judge {
        private final Facts facts;
        private final Set<Object> taken = new HashSet<>();

        InboundJudge(Facts facts) {
            this.facts = facts;
        }

        @Override
        public Optional<Refusal> judge(Command command, Head head) {
            for (Change change : command.changes()) {
                if (change instanceof Change.Apply(InboundEffect.Received(InboundEvent event))
                        && (facts.known().contains(event.id())
                                || keys(event).stream().anyMatch(taken::contains))) {
                    return Optional.of(Refusal.of(Problem.KEY_REUSED, "The message was submitted before."));
                }
                if (change instanceof Change.Apply(InboundEffect.Raised(UUID id, Verdict verdict))
                        && !facts.open().contains(id)) {
                    return Optional.of(Refusal.of(Problem.KEY_REUSED, "An agent answers the message already."));
                }
            }
            return Optional.empty();
        }

        @Override
        public void count(Command command, List<Entry> placed) {
            if (placed.stream().anyMatch(entry -> entry.content().kind() == EntryKind.MESSAGE)) {
                received(command).ifPresent(event -> taken.addAll(keys(event)));
            }
        }

        private static List<Object> keys(InboundEvent event) {
            InboundKeys keys = event.keys();
            Channel channel = keys.channel();
            List<Object> result = new ArrayList<>();
            if (keys.message() != null) {
                result.add(List.of(
                        channel.source(), channel.workspace(), channel.scope(), channel.name(), keys.message()));
            }
            if (keys.event() != null) {
                result.add(List.of(channel.source(), channel.workspace(), keys.event()));
            }
            return result;
        }
    }
}
