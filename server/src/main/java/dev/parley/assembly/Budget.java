package dev.parley.assembly;

import dev.parley.assembly.ContextMessage.Assistant;
import dev.parley.assembly.ContextMessage.Origin;
import dev.parley.assembly.ContextMessage.ToolResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Leaves out the oldest part of a conversation that is too long. Groups stay together: a call with its results, a
 * quotation with its message. The start of the remaining part moves in steps. Therefore the beginning is mostly the
 * same from one run to the next, and providers' caches stay valid.
 */
final class Budget {
    /** The number of seqs in one step. */
    private static final int STEP = 32;
    /** The tokens that a result may always use, even if its share is smaller. */
    private static final int MIN_OF_RESULT = 200;

    private Budget() {}

    /** Messages that stay together or are left out together. */
    private record Group(List<ContextMessage> messages, int tokens, long seq) {
        boolean isAnswer() {
            return messages.getFirst() instanceof Assistant;
        }
    }

    /**
     * @param messages the conversation, with every result after its call
     * @param kept the number of last messages that stay, whatever their length
     */
    static List<ContextMessage> cut(List<ContextMessage> messages, int kept, int tokens) {
        int end = messages.size() - kept;
        List<ContextMessage> tail = messages.subList(end, messages.size());
        List<Group> groups = groups(messages.subList(0, end));
        Set<Group> needed = needed(groups, tail);
        long room = (long) tokens
                - tail.stream().mapToLong(TokenEstimate::in).sum()
                - needed.stream().mapToLong(Group::tokens).sum();
        List<Group> others =
                groups.stream().filter(group -> !needed.contains(group)).toList();
        long all = others.stream().mapToLong(Group::tokens).sum();
        Set<Group> staying = Collections.newSetFromMap(new IdentityHashMap<>());
        staying.addAll(needed);
        staying.addAll(others.subList(all <= room ? 0 : firstThatFits(others, room), others.size()));
        List<ContextMessage> rest = new ArrayList<>();
        groups.stream().filter(staying::contains).forEach(group -> rest.addAll(group.messages()));
        rest.addAll(tail);
        return rest;
    }

    /**
     * The earlier groups that the run refers to: calls whose results the run contains and, if the run asks no question
     * itself, the last group and the group with the newest result.
     */
    private static Set<Group> needed(List<Group> groups, List<ContextMessage> tail) {
        Set<Group> needed = Collections.newSetFromMap(new IdentityHashMap<>());
        groups.stream().filter(Budget::holdsOwnResult).forEach(needed::add);
        boolean asks = tail.stream().anyMatch(message -> !(message instanceof ContextMessage.SystemBlock));
        if (!asks && !groups.isEmpty()) {
            needed.add(groups.getLast());
            groups.stream()
                    .max(Comparator.comparingLong(Budget::newestResult))
                    .filter(group -> newestResult(group) > 0)
                    .ifPresent(needed::add);
        }
        return needed;
    }

    private static boolean holdsOwnResult(Group group) {
        return group.messages().stream()
                .anyMatch(message -> message instanceof ToolResult
                        && message.origin().seqs().isEmpty()
                        && !message.origin().transforms().contains(Transform.CLOSED));
    }

    private static long newestResult(Group group) {
        return group.messages().stream()
                .filter(ToolResult.class::isInstance)
                .mapToLong(message -> last(message.origin()))
                .max()
                .orElse(0);
    }

    private static int firstThatFits(List<Group> groups, long room) {
        int first = groups.size();
        long taken = 0;
        while (first > 0 && taken + groups.get(first - 1).tokens() <= room) {
            first--;
            taken += groups.get(first).tokens();
        }
        int stepped = first;
        while (stepped < groups.size() && !beginsStep(groups, stepped)) {
            taken -= groups.get(stepped).tokens();
            stepped++;
        }
        // A beginning that moves with every run is better than half of the room left unused.
        int start = taken * 2 >= room ? stepped : first;
        while (start < groups.size() && groups.get(start).isAnswer()) {
            start++;
        }
        return start;
    }

    private static boolean beginsStep(List<Group> groups, int index) {
        return index > 0
                && groups.get(index).seq() / STEP != groups.get(index - 1).seq() / STEP;
    }

    private static List<Group> groups(List<ContextMessage> messages) {
        List<Group> groups = new ArrayList<>();
        List<ContextMessage> open = new ArrayList<>();
        for (ContextMessage message : messages) {
            boolean joins = message instanceof ToolResult
                    || !open.isEmpty() && open.getLast() instanceof ContextMessage.SystemBlock;
            if (!joins && !open.isEmpty()) {
                groups.add(group(open));
                open = new ArrayList<>();
            }
            open.add(message);
        }
        if (!open.isEmpty()) {
            groups.add(group(open));
        }
        return groups;
    }

    private static Group group(List<ContextMessage> messages) {
        // A quotation of recalled messages has older seqs than its message. Therefore the position of the group is the
        // last seq of its last message.
        long seq = messages.getFirst() instanceof Assistant
                ? last(messages.getFirst().origin())
                : last(messages.getLast().origin());
        return new Group(messages, messages.stream().mapToInt(TokenEstimate::in).sum(), seq);
    }

    private static long last(Origin origin) {
        return origin.seqs().isEmpty() ? 0 : origin.seqs().getLast();
    }

    /**
     * Shortens results so that all of them together take at most half of the tokens. The newest batch gets its tokens
     * first, and the results of one batch get equal shares. Even the oldest result keeps {@link #MIN_OF_RESULT} tokens.
     */
    static List<ContextMessage> shortened(List<ContextMessage> messages, int tokens) {
        Deque<ContextMessage> shortened = new ArrayDeque<>();
        long left = tokens / 2;
        int at = messages.size() - 1;
        while (at >= 0) {
            int first = at;
            while (first >= 0 && messages.get(first) instanceof ToolResult) {
                first--;
            }
            long share = Math.max(MIN_OF_RESULT, left / Math.max(1, at - first));
            for (; at > first; at--) {
                ContextMessage result = shortened((ToolResult) messages.get(at), share);
                left = Math.max(0, left - TokenEstimate.in(result));
                shortened.addFirst(result);
            }
            if (at >= 0) {
                shortened.addFirst(messages.get(at--));
            }
        }
        return List.copyOf(shortened);
    }

    private static ContextMessage shortened(ToolResult result, long tokens) {
        int most = TokenEstimate.charactersIn(result.text(), tokens);
        if (most == result.text().length()) {
            return result;
        }
        List<Transform> transforms = new ArrayList<>(result.origin().transforms());
        transforms.add(Transform.SHORTENED);
        return new ToolResult(
                result.callId(),
                result.tool(),
                Quoted.shortened(result.text(), most),
                result.failed(),
                new Origin(result.origin().seqs(), transforms, result.origin().id()));
    }
}
