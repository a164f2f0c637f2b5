package dev.parley.threads;

import dev.parley.auth.Capability;
import dev.parley.auth.Sources;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Entry;
import dev.parley.log.EntryKind;
import dev.parley.log.Head;
import dev.parley.log.Refusal;
import dev.parley.log.Rule;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ThreadId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Only participants get anything into a thread, and only what they may; checked inside the append, so a removal counts at once. */
public final class MembershipCheck implements Rule<Map<ThreadId, ThreadFacts>> {
    private final ThreadFactsCache facts;

    public MembershipCheck(ThreadFactsCache facts) {
        this.facts = facts;
    }

    /** Somebody in the thread who may not do this. */
    public static Refusal lacking(Capability needed) {
        return Refusal.of(
                Problem.FORBIDDEN, "You may see this thread, but this needs the capability " + needed.wire() + ".");
    }

    @Override
    public Stage stage() {
        return Stage.ACCESS;
    }

    @Override
    public Map<ThreadId, ThreadFacts> read(Connection connection, Collection<Head> heads, List<Command> commands)
            throws SQLException {
        return facts.read(connection, heads);
    }

    @Override
    public Judge over(Map<ThreadId, ThreadFacts> facts) {
        return new MembershipJudge(facts);
    }

    private record MembershipJudge(Map<ThreadId, ThreadFacts> facts) implements Judge {
        @Override
        public Optional<Refusal> judge(Command command, Head head) {
            if (command.fence() != null) {
                // It acts by its run, not by its agent's place: an agent that is put out in mid-answer still ends it.
                return Optional.empty();
            }
            if (command.actor().equals(Actor.SYSTEM)) {
                // No caller is the server itself.
                return Optional.empty();
            }
            ThreadFacts thread = ThreadFacts.of(facts, command.thread());
            if (thread.source() != null && command.actor().equals(Sources.integration(thread.source()))) {
                // It has no place in the thread: it brings what was said elsewhere by those who have.
                return Optional.empty();
            }
            ThreadFacts.Member member = thread.members().get(command.actor());
            if (member == null || !Capability.CAN_READ.in(member.capabilities())) {
                return Optional.of(Refusal.noSuchThread());
            }
            for (Change change : command.changes()) {
                Capability needed = needed(change);
                if (!needed.in(member.capabilities())) {
                    return Optional.of(lacking(needed));
                }
            }
            return Optional.empty();
        }

        @Override
        public List<Change> follow(Entry entry) {
            if (entry.content().kind() != EntryKind.MESSAGE) {
                return List.of();
            }
            Long seen = entry.content().latestSeenSeq();
            return List.of(new Change.Apply(
                    new ReadMark(entry.thread(), entry.content().author(), seen == null ? entry.seq() : seen)));
        }

        private static Capability needed(Change change) {
            return switch (change) {
                case Change.Append append -> Capability.CAN_SEND;
                case Change.Apply(ThreadEffect threadChange) -> threadChange.needs();
                case Change.Apply other -> Capability.CAN_READ;
                case Change.Announce announce -> Capability.CAN_READ;
                case Change.Emit emit -> Capability.CAN_RUN;
            };
        }
    }
}
