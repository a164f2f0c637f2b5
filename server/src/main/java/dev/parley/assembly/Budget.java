package dev.parley.assembly;

import dev.parley.assembly.ContextMessage.Assistant;
import dev.parley.assembly.ContextMessage.Origin;
import dev.parley.assembly.ContextMessage.ToolResult;
import java.util.ArrayList;
import java.util.List;

/**
 * Leaves out the oldest part of a conversation that is too long. What belongs together goes together: a call with its
 * results, a quotation with its message. The place where the rest begins moves in steps, so that from one run to the next
 * the beginning mostly stays the same, and providers' caches with it.
 */
final class Budget {
    /** Seqs of one step. */
    private static final int STEP = 32;

    private Budget() {}

    /** One or more messages that stay or go together. */
    private record Group(List<ContextMessage> messages, int tokens, long seq) {
        boolean isAnswer() {
            return messages.getFirst() instanceof Assistant;
        }
    }

    /**
     * @param messages with every result behind its call
     * @param kept how many of the last messages stay, however long they are
     */
    static List<ContextMessage> cut(List<ContextMessage> messages, int kept, int tokens) {
        int end = messages.size() - kept;
        List<ContextMessage> tail = messages.subList(end, messages.size());
        List<Group> groups = groups(messages.subList(0, end));
        long room = (long) tokens - tail.stream().mapToLong(Tokens::in).sum();
        long all = groups.stream().mapToLong(Group::tokens).sum();
        int first = all <= room ? 0 : firstThatFits(groups, room);
        List<ContextMessage> rest = new ArrayList<>();
        groups.subList(first, groups.size()).forEach(group -> rest.addAll(group.messages()));
        rest.addAll(tail);
        return rest;
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
        // Better a beginning that moves than half of the room unused.
        int start = taken * 2 >= room ? stepped : first;
        while (start < groups.size() && groups.get(start).isAnswer()) {
            start++;
        }
        return start;
    }

    private static boolean beginsStep(List<Group> groups, int place) {
        return place > 0
                && groups.get(place).seq() / STEP != groups.get(place - 1).seq() / STEP;
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
        // A quotation of what was found again has older seqs than its message; the last one tells the place.
        long seq = messages.getFirst() instanceof Assistant
                ? last(messages.getFirst().origin())
                : last(messages.getLast().origin());
        return new Group(messages, messages.stream().mapToInt(Tokens::in).sum(), seq);
    }

    private static long last(Origin origin) {
        return origin.seqs().isEmpty() ? 0 : origin.seqs().getLast();
    }

    /** Cuts single results that would take more than their share, whoever needs them. */
    static List<ContextMessage> shortened(List<ContextMessage> messages, int tokens) {
        int most = (int) Math.min(Integer.MAX_VALUE, tokens * 2L);
        return messages.stream()
                .map(message ->
                        message instanceof ToolResult result && result.text().length() > most
                                ? shortened(result, most)
                                : message)
                .toList();
    }

    private static ContextMessage shortened(ToolResult result, int most) {
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
