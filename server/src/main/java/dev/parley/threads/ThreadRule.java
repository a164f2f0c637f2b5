package dev.parley.threads;

import dev.parley.log.Command;
import dev.parley.log.FactSource;
import dev.parley.log.Head;
import dev.parley.log.Refusal;
import dev.parley.log.Rule;
import dev.parley.protocol.ThreadId;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The checks that need only the facts of a thread: members, archive, last manager, room and mentions. */
public final class ThreadRule implements Rule<Map<ThreadId, ThreadFacts>> {
    private final ThreadFactsCache facts;
    private final int maxParticipants;

    /** @param maxParticipants the maximum number of participants of one thread */
    public ThreadRule(ThreadFactsCache facts, int maxParticipants) {
        this.facts = facts;
        this.maxParticipants = maxParticipants;
    }

    @Override
    public Map<ThreadId, ThreadFacts> read(FactSource source, Collection<Head> heads, List<Command> commands)
            throws SQLException {
        return facts.read(source, heads);
    }

    @Override
    public Judge over(Map<ThreadId, ThreadFacts> facts) {
        return new ThreadJudge(facts, maxParticipants);
    }

    private record ThreadJudge(Map<ThreadId, ThreadFacts> facts, int maxParticipants) implements Judge {
        @Override
        public Optional<Refusal> judgeAccess(Command command, Head head) {
            return MembershipCheck.refusal(command, ThreadFacts.of(facts, command.thread()));
        }

        @Override
        public Optional<Refusal> judge(Command command, Head head) {
            ThreadFacts thread = ThreadFacts.of(facts, command.thread());
            return ArchiveCheck.refusal(command, thread)
                    .or(() -> LastManagerCheck.refusal(command, thread))
                    .or(() -> RoomCheck.refusal(command, thread, maxParticipants))
                    .or(() -> MentionCheck.refusal(command, thread));
        }
    }
}
