package dev.parley.threads;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Effect;
import dev.parley.log.Entry;
import dev.parley.log.EntryKind;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.util.List;

/** The read mark of an author who posts: the seq that the author has seen, or else the seq of the message itself. */
public record ReadMark(ThreadId thread, Actor actor, long seq) implements Effect {
    /** Moves the author's mark with each message; a {@code Follower} of the log. */
    public static List<Change> follow(Command command, Entry entry) {
        if (entry.content().kind() != EntryKind.MESSAGE) {
            return List.of();
        }
        Long seen = entry.content().latestSeenSeq();
        return List.of(new Change.Apply(
                new ReadMark(entry.thread(), entry.content().author(), seen == null ? entry.seq() : seen)));
    }
}
