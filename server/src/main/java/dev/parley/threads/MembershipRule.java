package dev.parley.threads;

import dev.parley.log.Command;
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

/** Only participants who may send get anything into a thread; checked inside the append, so a removal counts at once. */
public final class MembershipRule implements Rule<MembershipRule.Memberships> {
    /** Somebody in a thread. */
    record Member(ThreadId thread, Actor actor) {}

    /** The capability bits of those members that exist. */
    public record Memberships(Map<Member, Integer> capabilities) {}

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
    public Optional<Refusal> judge(Memberships facts, Command command, Head head) {
        Integer bits = facts.capabilities().get(new Member(command.thread(), command.actor()));
        if (bits == null || !Capability.CAN_READ.in(bits)) {
            return Optional.of(Refusal.of(Problem.THREAD_NOT_FOUND, "There is no such thread."));
        }
        if (!Capability.CAN_SEND.in(bits)) {
            return Optional.of(Refusal.of(Problem.FORBIDDEN, "You may read this thread but not post to it."));
        }
        return Optional.empty();
    }
}
