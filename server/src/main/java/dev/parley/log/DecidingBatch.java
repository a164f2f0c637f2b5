package dev.parley.log;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state that the commands of one batch leave to later commands of the batch: moved heads, used keys, and new
 * messages, which count as missed by other authors. A command is decided whole: if one of its drafts is refused, none
 * of its changes happens.
 */
final class DecidingBatch {
    private final Map<ThreadId, Head> heads;
    private final KnownFacts known;
    private final List<Rule.Judge> judges;
    private final List<Follower.Consequences> followers;
    private final Instant now;
    private final Map<KnownFacts.ThreadKey, KnownFacts.Holder> taken = new HashMap<>();
    private final Set<KnownFacts.ThreadKey> takenIds = new HashSet<>();
    private final Map<ThreadId, Head> moved = new HashMap<>();
    private final List<Decision.NewEntry> drafts = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private final List<Effect> effects = new ArrayList<>();

    DecidingBatch(Map<ThreadId, Head> heads, KnownFacts known, LogFeatures.BatchFacts facts, Instant now) {
        this.heads = heads;
        this.known = known;
        this.judges = facts.judges().stream().map(Supplier::get).toList();
        this.followers = facts.followers().stream().map(Supplier::get).toList();
        this.now = now;
    }

    Decision toDecision(List<CommandOutcome> outcomes) {
        return new Decision(outcomes, moved, drafts, events, effects);
    }

    /** Decides a command. The order of the checks is a promise: access, then the key, then the thread's state. */
    CommandOutcome decide(Command command) {
        Head head = moved.getOrDefault(command.thread(), heads.get(command.thread()));
        if (head == null) {
            return new CommandOutcome.Refused(Refusal.noSuchThread());
        }
        CommandOutcome.@Nullable Done earlier = committedEarlier(command);
        if (earlier != null) {
            return earlier;
        }
        Optional<Refusal> refusal = fenceRefused(command)
                .or(() -> refused(judge -> judge.judgeAccess(command, head)))
                .or(() -> keysRefused(command));
        if (refusal.isEmpty() && !isNew(command)) {
            return repeat(command);
        }
        return refusal.or(() -> freshnessRefused(command, head))
                .or(() -> refused(judge -> judge.judge(command, head)))
                .<CommandOutcome>map(CommandOutcome.Refused::new)
                .orElseGet(() -> carryOut(command, head));
    }

    /** The command's own entries and events, if an earlier attempt has committed them and its answer was lost. */
    private CommandOutcome.@Nullable Done committedEarlier(Command command) {
        if (!known.uncertain().contains(command.id())) {
            return null;
        }
        List<Event> announced = known.announcements().getOrDefault(command.id(), List.of());
        List<CommandOutcome.Placed> entries = new ArrayList<>();
        boolean committed = !announced.isEmpty();
        for (Draft draft : command.drafts()) {
            KnownFacts.Holder own = ownOf(command, draft);
            KnownFacts.Holder holder = own != null ? own : holderOf(command, draft);
            committed |= own != null;
            if (holder != null) {
                entries.add(new CommandOutcome.Placed(holder.entry(), own == null));
            }
        }
        return committed ? new CommandOutcome.Done(entries, announced) : null;
    }

    private Optional<Refusal> fenceRefused(Command command) {
        RunFence fence = command.fence();
        return fence == null || judges.stream().anyMatch(judge -> judge.honours(fence, command.thread()))
                ? Optional.empty()
                : Optional.of(
                        Refusal.of(Problem.RUN_TAKEN_OVER, "The run is over, or another worker has taken it over."));
    }

    private Optional<Refusal> refused(Function<Rule.Judge, Optional<Refusal>> question) {
        for (Rule.Judge judge : judges) {
            Optional<Refusal> refusal = question.apply(judge);
            if (refusal.isPresent()) {
                return refusal;
            }
        }
        return Optional.empty();
    }

    private Optional<Refusal> keysRefused(Command command) {
        for (Draft draft : command.drafts()) {
            KnownFacts.Holder holder = holderOf(command, draft);
            if (holder != null && !holder.sameBody(draft)) {
                return Optional.of(new Refusal(
                        Problem.KEY_REUSED,
                        "This key was used in this thread for a message with another body (seq "
                                + holder.entry().seq() + ").",
                        List.of(),
                        Map.of(
                                "seq",
                                holder.entry().seq(),
                                "message_id",
                                holder.entry().content().id())));
            }
            if (draft.underWishedIdOnly() && isTaken(command.thread(), draft)) {
                return Optional.of(Refusal.of(Problem.KEY_REUSED, "This thread has a message under that id already."));
            }
        }
        return Optional.empty();
    }

    private boolean isNew(Command command) {
        List<Draft> all = command.drafts();
        return all.isEmpty() || all.stream().anyMatch(draft -> holderOf(command, draft) == null);
    }

    /**
     * The result of the first request. A repeated request changes nothing, because the first request has already made
     * all changes that belong to its entries.
     */
    private CommandOutcome repeat(Command command) {
        List<CommandOutcome.Placed> entries = new ArrayList<>();
        for (Draft draft : command.drafts()) {
            KnownFacts.Holder holder = holderOf(command, draft);
            if (holder != null) {
                entries.add(new CommandOutcome.Placed(holder.entry(), true));
            }
        }
        return new CommandOutcome.Done(entries, List.of());
    }

    private Optional<Refusal> freshnessRefused(Command command, Head head) {
        for (Draft draft : command.drafts()) {
            Long base = draft.content().baseSeq();
            Long seen = draft.content().latestSeenSeq();
            if (base != null && base > head.lastSeq()) {
                return Optional.of(Refusal.ofField("base_seq", "is above the thread's last seq " + head.lastSeq()));
            }
            if (seen != null && seen > head.lastSeq()) {
                return Optional.of(
                        Refusal.ofField("latest_seen_seq", "is above the thread's last seq " + head.lastSeq()));
            }
            Integer lag = staleLag(command.thread(), draft.content());
            if (draft.rejectIfStale() && lag != null && lag > 0) {
                return Optional.of(new Refusal(
                        Problem.STALE_CONTEXT,
                        "The thread has moved on: " + lag + " messages of others came after seq " + base + ".",
                        List.of(),
                        Map.of("current_seq", head.lastSeq(), "stale_lag", lag)));
            }
        }
        return Optional.empty();
    }

    /**
     * Counts the messages of others after the author's base seq; the author's own messages never make a draft stale.
     */
    private @Nullable Integer staleLag(ThreadId thread, EntryContent content) {
        Long base = content.baseSeq();
        if (base == null) {
            return null;
        }
        int missed = known.missed().getOrDefault(new KnownFacts.Reading(thread, content.author(), base), 0);
        for (Decision.NewEntry each : drafts) {
            Entry entry = each.entry();
            if (entry.thread().equals(thread)
                    && entry.seq() > base
                    && entry.content().kind() == EntryKind.MESSAGE
                    && !entry.content().author().equals(content.author())) {
                missed++;
            }
        }
        return Math.min(missed, KnownFacts.MAX_MISSED);
    }

    private CommandOutcome carryOut(Command command, Head start) {
        Head head = start;
        List<CommandOutcome.Placed> entries = new ArrayList<>();
        List<Entry> placed = new ArrayList<>();
        List<Event> announced = new ArrayList<>();
        Deque<Change> steps = new ArrayDeque<>(command.changes());
        while (!steps.isEmpty()) {
            switch (steps.removeFirst()) {
                case Change.Append(Draft draft) -> {
                    KnownFacts.Holder holder = holderOf(command, draft);
                    if (holder != null) {
                        entries.add(new CommandOutcome.Placed(holder.entry(), true));
                    } else {
                        Entry entry = place(command, draft, head);
                        head = head.after(entry);
                        take(command, draft, entry);
                        placed.add(entry);
                        entries.add(new CommandOutcome.Placed(entry, false));
                        following(command, entry).reversed().forEach(steps::addFirst);
                    }
                }
                case Change.Announce(String type, Actor actor, String payload) -> {
                    Event.Announced event = new Event.Announced(
                            command.thread(),
                            head.lastPosition() + 1,
                            head.lastSeq(),
                            later(head.lastCreatedAt(), now),
                            type,
                            actor,
                            payload,
                            command.id());
                    head = head.after(event);
                    events.add(event);
                    announced.add(event);
                }
                case Change.Emit(UUID run, Actor actor, List<String> emitted) -> {
                    Event.Emitted event = new Event.Emitted(
                            command.thread(),
                            head.lastSeq(),
                            later(head.lastCreatedAt(), now),
                            actor,
                            run,
                            lines(emitted, head.lastPosition()),
                            command.id());
                    head = head.after(event);
                    events.add(event);
                    announced.add(event);
                }
                case Change.Apply(Effect effect) -> {
                    effects.add(effect.at(head, later(head.lastCreatedAt(), now)));
                    head = head.after(effect);
                }
            }
        }
        if (!head.equals(start)) {
            moved.put(command.thread(), head);
        }
        judges.forEach(judge -> judge.count(command, placed));
        return new CommandOutcome.Done(entries, announced);
    }

    private static List<Line> lines(List<String> emitted, long after) {
        List<Line> lines = new ArrayList<>(emitted.size());
        for (String json : emitted) {
            lines.add(Line.of(after + lines.size() + 1, json));
        }
        return lines;
    }

    private Entry place(Command command, Draft draft, Head head) {
        Integer lag = staleLag(head.thread(), draft.content());
        EntryContent content = draft.content().withId(idFor(head.thread(), draft));
        Entry entry = Entry.place(content, draft.salt(), head, later(head.lastCreatedAt(), timeOf(draft)), lag);
        List<Engagement> engagement = new ArrayList<>();
        for (Follower.Consequences follower : followers) {
            engagement.addAll(follower.engage(command, entry));
        }
        return entry.engaging(engagement);
    }

    /** Clamps a supplied timestamp to the present; entries are never dated in the future. */
    private Instant timeOf(Draft draft) {
        Instant saidAt = draft.saidAt();
        return saidAt == null || saidAt.isAfter(now) ? now : saidAt.truncatedTo(ChronoUnit.MICROS);
    }

    private List<Change> following(Command command, Entry entry) {
        List<Change> following = new ArrayList<>();
        for (Follower.Consequences follower : followers) {
            following.addAll(follower.follow(command, entry));
        }
        return following;
    }

    /** The id that the client asked for, if no entry of the thread has it yet; otherwise the generated id. */
    private String idFor(ThreadId thread, Draft draft) {
        String wished = draft.wishedId();
        if (wished == null) {
            return draft.content().id();
        }
        return isTaken(thread, draft) ? draft.content().id() : wished;
    }

    private boolean isTaken(ThreadId thread, Draft draft) {
        KnownFacts.ThreadKey threadKey =
                new KnownFacts.ThreadKey(thread, EntryKey.id(Objects.requireNonNull(draft.wishedId())));
        return known.entries().containsKey(threadKey) || takenIds.contains(threadKey);
    }

    private void take(Command command, Draft draft, Entry entry) {
        drafts.add(new Decision.NewEntry(entry, draft));
        if (draft.wishedId() != null) {
            takenIds.add(new KnownFacts.ThreadKey(
                    command.thread(), EntryKey.id(entry.content().id())));
        }
        events.add(new Event.Committed(entry));
        EntryKey key = draft.key();
        if (key != null) {
            taken.put(
                    new KnownFacts.ThreadKey(command.thread(), key),
                    new KnownFacts.Holder(entry, draft.fingerprint(), draft.salt()));
        }
    }

    private KnownFacts.@Nullable Holder holderOf(Command command, Draft draft) {
        EntryKey key = draft.key();
        if (key == null) {
            return null;
        }
        KnownFacts.ThreadKey threadKey = new KnownFacts.ThreadKey(command.thread(), key);
        KnownFacts.Holder inBatch = taken.get(threadKey);
        return inBatch != null ? inBatch : known.entries().get(threadKey);
    }

    /** The entry that an earlier attempt made from this draft, under either of the draft's two possible ids. */
    private KnownFacts.@Nullable Holder ownOf(Command command, Draft draft) {
        KnownFacts.Holder own = known.entries()
                .get(new KnownFacts.ThreadKey(
                        command.thread(), EntryKey.id(draft.content().id())));
        String wished = draft.wishedId();
        if (own != null || wished == null) {
            return own;
        }
        KnownFacts.Holder other = known.entries().get(new KnownFacts.ThreadKey(command.thread(), EntryKey.id(wished)));
        return other != null && other.sameSalt(draft) ? other : null;
    }

    /** The later of two times: time never runs backwards within a thread, even if the clock does. */
    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }
}
