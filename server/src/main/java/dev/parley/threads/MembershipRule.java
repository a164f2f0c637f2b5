package dev.parley.threads;

import dev.parley.auth.Capability;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Only participants get anything into a thread, and only what they may; checked inside the append, so a removal counts at once. */
public final class MembershipRule implements Rule<MembershipRule.Memberships> {
    /** Somebody in a thread. */
    record Member(ThreadId thread, Actor actor) {}

    /** The capability bits of those members that exist. */
    public record Memberships(Map<Member, Integer> capabilities) {}

    static Refusal lacking(Capability needed) {
        return Refusal.of(
                Problem.FORBIDDEN, "You may see this thread, but this needs the capability " + needed.wire() + ".");
    }

    @Override
    public Stage stage() {
        return Stage.ACCESS;
    }

    @Override
    public Memberships read(Connection connection, List<Command> commands) throws SQLException {
        return new Memberships(MemberQuery.read(
                connection,
                commands.stream()
                        .map(command -> new Member(command.thread(), command.actor()))
                        .distinct()
                        .toList()));
    }

    @Override
    public Judge over(Memberships facts) {
        return new MembershipJudge(facts);
    }

    private record MembershipJudge(Memberships facts) implements Judge {
        @Override
        public Optional<Refusal> judge(Command command, Head head) {
            Integer bits = facts.capabilities().get(new Member(command.thread(), command.actor()));
            if (bits == null || !Capability.CAN_READ.in(bits)) {
                return Optional.of(Refusal.noSuchThread());
            }
            for (Change change : command.changes()) {
                Capability needed = needed(change);
                if (!needed.in(bits)) {
                    return Optional.of(lacking(needed));
                }
            }
            return Optional.empty();
        }

        @Override
        public List<Change> follow(Entry entry) {
            if (entry.said().kind() != EntryKind.MESSAGE) {
                return List.of();
            }
            Long seen = entry.said().latestSeenSeq();
            return List.of(new Change.Apply(
                    new ReadMark(entry.thread(), entry.said().author(), seen == null ? entry.seq() : seen)));
        }

        private static Capability needed(Change change) {
            return switch (change) {
                case Change.Append append -> Capability.CAN_SEND;
                case Change.Apply(ThreadChange threadChange) -> threadChange.needs();
                case Change.Apply other -> Capability.CAN_READ;
                case Change.Announce announce -> Capability.CAN_READ;
            };
        }
    }
}
