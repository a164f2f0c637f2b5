package dev.parley.face.agent;

import dev.parley.protocol.ProblemException;
import dev.parley.protocol.Split;
import dev.parley.protocol.ThreadId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A thread that a client wants to follow.
 *
 * @param after the position after which to begin; null to begin with the active run, or at the live end if no run is
 *     active
 */
record WatchWish(ThreadId thread, @Nullable Long after) {
    /**
     * Parses values. Each value contains one or more wishes such as {@code thread:position} or {@code thread},
     * separated by commas.
     */
    static List<WatchWish> read(List<String> values, int atMost) {
        List<WatchWish> wishes = values.stream()
                .flatMap(value -> Split.at(',', value).stream())
                .filter(each -> !each.isBlank())
                .map(each -> read(each.strip()))
                .toList();
        if (wishes.size() > atMost) {
            throw ProblemException.invalidField("watch", "must name at most " + atMost + " threads");
        }
        Set<ThreadId> named = new HashSet<>();
        if (!wishes.stream().allMatch(wish -> named.add(wish.thread()))) {
            throw ProblemException.invalidField("watch", "must not name a thread twice");
        }
        return wishes;
    }

    private static WatchWish read(String text) {
        int colon = text.indexOf(':');
        ThreadId thread = ThreadId.parse(colon < 0 ? text : text.substring(0, colon))
                .orElseThrow(() -> ProblemException.invalidField(
                        "watch", "must be a thread id, or a thread id, a colon and a position"));
        return new WatchWish(thread, colon < 0 ? null : FrameIds.position(text.substring(colon + 1)));
    }
}
