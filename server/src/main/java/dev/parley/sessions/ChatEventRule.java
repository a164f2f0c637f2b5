package dev.parley.sessions;

import dev.parley.auth.Capability;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Entry;
import dev.parley.log.EntryKind;
import dev.parley.log.FactSource;
import dev.parley.log.Head;
import dev.parley.log.Refusal;
import dev.parley.log.Rule;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.lifecycle.RunOwners;
import dev.parley.sessions.ChatEventFacts.EntryRef;
import dev.parley.sessions.ChatEventFacts.MessageStatus;
import dev.parley.sessions.ChatEventFacts.Name;
import dev.parley.threads.ThreadFacts;
import dev.parley.threads.ThreadFactsCache;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Enforces three rules. Each message id has only one chat event. A chat event is stored beside its message, which is
 * appended with the chat event or already in the log. A message that was chosen for a chat event must not have changed
 * since.
 */
public final class ChatEventRule implements Rule<ChatEventRule.Facts> {
    private final ThreadFactsCache threads;

    public ChatEventRule(ThreadFactsCache threads) {
        this.threads = threads;
    }

    /** The facts of chat events and their runs, and the participants of their threads. */
    record Facts(ChatEventFacts events, Map<ThreadId, ThreadFacts> threads) {}

    @Override
    public Facts read(FactSource source, Collection<Head> heads, List<Command> commands) throws SQLException {
        return new Facts(ChatEventFacts.of(source, commands), threads.read(source, heads));
    }

    @Override
    public Judge over(Facts facts) {
        return new ChatEventJudge(facts);
    }

    /** Places a chat event beside its message. This method is a {@code Follower} of the log. */
    public static List<Change> follow(Command command, Entry entry) {
        if (entry.content().kind() != EntryKind.MESSAGE) {
            return List.of();
        }
        for (Change change : command.changes()) {
            if (change instanceof Change.Apply(ChatEventEffect.Brought brought)
                    && brought.mayBecome(entry.content().id())) {
                return List.of(new Change.Apply(
                        new ChatEventEffect.Placed(brought.thread(), brought.row(), entry.seq(), entry.createdAt())));
            }
        }
        return List.of();
    }

    /** Records the messages of its batch, so that the second of two twins in one batch is refused. */
    private static final class ChatEventJudge implements Judge {
        private final Set<Name> taken;
        private final Set<Name> streamed;
        private final Set<Name> posted;
        private final Map<EntryRef, MessageStatus> statuses;
        private final Map<RunOwners.Name, List<RunOwners>> owners;
        private final Map<ThreadId, ThreadFacts> threads;

        ChatEventJudge(Facts all) {
            ChatEventFacts facts = all.events();
            this.threads = all.threads();
            this.owners = new HashMap<>(facts.owners());
            this.taken = new HashSet<>(facts.known());
            this.streamed = facts.streamed();
            this.posted = new HashSet<>(facts.posted());
            this.statuses = new HashMap<>(facts.statuses());
        }

        @Override
        public Optional<Refusal> judge(Command command, Head head) {
            List<RunOwners.Name> runs = ChatEventFacts.runs(command).distinct().toList();
            Optional<Refusal> foreign = foreign(command, runs);
            if (foreign.isPresent()) {
                return foreign;
            }
            if (ChatEventFacts.opened(command).anyMatch(posted::contains)) {
                return Optional.of(Refusal.of(
                        Problem.KEY_REUSED, "This run's messages were posted already; it cannot be streamed."));
            }
            List<ChatEventEffect> changes = ChatEventFacts.changes(command).toList();
            if (changes.stream().map(ChatEventFacts::nameOf).anyMatch(taken::contains)) {
                return lookAgain("A message with this id exists already.");
            }
            if (!changes.stream().allMatch(this::isWellChosen)) {
                return lookAgain("The streamed messages of the run have changed meanwhile.");
            }
            return Optional.empty();
        }

        @Override
        public void count(Command command, List<Entry> placed) {
            // The first caller to post a run owns it, also for the rest of the batch.
            ChatEventFacts.runs(command)
                    .forEach(run ->
                            owners.putIfAbsent(run, List.of(new RunOwners(null, Set.of(command.actor()), Set.of()))));
            ChatEventFacts.changes(command).forEach(this::take);
            for (Entry entry : placed) {
                Long target = entry.content().targetSeq();
                if (target != null && changesText(entry.content().kind())) {
                    statuses.computeIfPresent(
                            new EntryRef(entry.thread(), target),
                            (ref, known) -> new MessageStatus(known.taken(), entry.seq()));
                }
            }
        }

        private void take(ChatEventEffect effect) {
            taken.add(ChatEventFacts.nameOf(effect));
            switch (effect) {
                case ChatEventEffect.Brought brought ->
                    ChatEventFacts.unstreamed(brought).forEach(posted::add);
                case ChatEventEffect.Beside beside ->
                    statuses.compute(ChatEventFacts.entryOf(beside), (ref, before) -> taken(before));
                case ChatEventEffect.Placed _ -> {}
            }
        }

        private Optional<Refusal> foreign(Command command, List<RunOwners.Name> runs) {
            ThreadFacts thread = threads.get(command.thread());
            boolean manages = thread != null && thread.allows(command.actor(), Capability.CAN_MANAGE_PARTICIPANTS);
            return runs.stream()
                    .filter(run ->
                            !SessionRunOwners.allow(owners.getOrDefault(run, List.of()), command.actor(), manages))
                    .findFirst()
                    .map(run -> RunOwners.foreign(run.run()));
        }

        /** Refuses the command, so that the caller reads again and finds the present message. */
        private static Optional<Refusal> lookAgain(String detail) {
            return Optional.of(Refusal.of(Problem.KEY_REUSED, detail));
        }

        private boolean isWellChosen(ChatEventEffect effect) {
            return switch (effect) {
                case ChatEventEffect.Brought brought ->
                    ChatEventFacts.unstreamed(brought).noneMatch(streamed::contains);
                case ChatEventEffect.Beside beside ->
                    statuses.getOrDefault(ChatEventFacts.entryOf(beside), MessageStatus.UNTOUCHED)
                            .isAsSeen(beside.sight());
                case ChatEventEffect.Placed _ -> true;
            };
        }

        private static MessageStatus taken(@Nullable MessageStatus before) {
            return new MessageStatus(true, before == null ? 0 : before.revisedAt());
        }

        private static boolean changesText(EntryKind kind) {
            return kind == EntryKind.EDIT || kind == EntryKind.DELETION;
        }
    }
}
