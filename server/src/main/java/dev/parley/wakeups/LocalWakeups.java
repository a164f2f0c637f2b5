package dev.parley.wakeups;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Reaches the nodes of this process that name the same group. A node that is alone in its group reaches no other node.
 */
public final class LocalWakeups implements Wakeups {
    private static final Map<String, Set<LocalWakeups>> GROUPS = new ConcurrentHashMap<>();

    private final String group;
    private volatile Consumer<String> receiver = text -> {};

    /** @param group the name that all nodes of one database share */
    public LocalWakeups(String group) {
        this.group = group;
    }

    @Override
    public int subjects() {
        return 1;
    }

    @Override
    public Duration pace() {
        return Duration.ZERO;
    }

    @Override
    public void join(Consumer<String> listener) {
        receiver = listener;
        GROUPS.compute(group, (key, members) -> {
            Set<LocalWakeups> joined = members == null ? ConcurrentHashMap.newKeySet() : members;
            joined.add(this);
            return joined;
        });
    }

    @Override
    public void carry(List<Message> messages) {
        for (LocalWakeups member : GROUPS.getOrDefault(group, Set.of())) {
            messages.forEach(message -> member.receiver.accept(message.text()));
        }
    }

    @Override
    public void reset() {
        // There is no connection that could be lost.
    }

    @Override
    public void close() {
        GROUPS.computeIfPresent(group, (key, members) -> {
            members.remove(this);
            return members.isEmpty() ? null : members;
        });
    }
}
