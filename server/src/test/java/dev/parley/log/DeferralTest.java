package dev.parley.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.engagement.EngagementFollower;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.runs.lifecycle.RunMemory;
import dev.parley.storage.SqlBatch;
import dev.parley.threads.NewMemberRow;
import dev.parley.threads.ReadMark;
import dev.parley.threads.ReadMarkWriter;
import dev.parley.threads.ThreadEffect;
import dev.parley.threads.ThreadEffectWriter;
import dev.parley.threads.ThreadFactsCache;
import dev.parley.threads.ThreadRule;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The real rules and effects in forced batches: each command is judged by the changes of the one before. */
class DeferralTest extends LaneFixture {
    private static final short ALL = 15;
    private static final short TALK = 3;

    private final Actor owner = Actor.user(UUID.randomUUID());
    private final Actor member = Actor.user(UUID.randomUUID());
    private final List<Integer> batches = new CopyOnWriteArrayList<>();

    @Test
    void messageOfARemovedMemberInTheSameBatchIsRefused() {
        ThreadId thread = newThread();
        ThreadId other = newThread();
        List<CommandOutcome> outcomes = inOneBatch(List.of(
                message(thread, member, "before", null),
                remove(thread, member),
                message(thread, member, "after", null),
                message(thread, owner, "owner", null),
                message(other, member, "elsewhere", null)));
        assertThat(outcomes.get(0)).isInstanceOf(CommandOutcome.Done.class);
        assertThat(outcomes.get(1)).isInstanceOf(CommandOutcome.Done.class);
        assertThat(problem(outcomes.get(2))).isEqualTo(Problem.THREAD_NOT_FOUND);
        assertThat(outcomes.get(3)).isInstanceOf(CommandOutcome.Done.class);
        assertThat(outcomes.get(4)).as("other threads do not wait").isInstanceOf(CommandOutcome.Done.class);
        assertThat(contents(thread)).containsExactly("before", "owner");
        assertThat(batches)
                .as("the thread's later commands came in a second batch")
                .containsExactly(3, 2);
    }

    @Test
    void everyChangeOfOneThreadIsJudgedByTheOneBefore() {
        ThreadId thread = newThread();
        Actor newcomer = Actor.user(UUID.randomUUID());
        List<CommandOutcome> outcomes = inOneBatch(List.of(
                message(thread, newcomer, "too early", null),
                join(thread, newcomer),
                message(thread, newcomer, "hello", null),
                archive(thread, true),
                message(thread, newcomer, "into the archive", null),
                archive(thread, false),
                message(thread, newcomer, "back again", null),
                new Command(
                        UuidV7.next(),
                        thread,
                        newcomer,
                        List.of(new Change.Apply(new ThreadEffect.Renamed(thread, "mine")), announcement(newcomer))),
                delete(thread),
                message(thread, owner, "anybody?", null)));
        assertThat(outcomes.stream().map(DeferralTest::problem).toList())
                .containsExactly(
                        Problem.THREAD_NOT_FOUND,
                        null,
                        null,
                        null,
                        Problem.THREAD_ARCHIVED,
                        null,
                        null,
                        Problem.FORBIDDEN,
                        null,
                        Problem.THREAD_NOT_FOUND);
        assertThat(contents(thread)).containsExactly("hello", "back again");
    }

    @Test
    void anEffectIsWrittenWithItsCommandOrNotAtAll() {
        ThreadId thread = newThread();
        List<CommandOutcome> outcomes = inOneBatch(List.of(
                // The draft cannot be stored, so nothing of this command may stay.
                new Command(
                        UuidV7.next(),
                        thread,
                        owner,
                        List.of(
                                new Change.Apply(new ThreadEffect.Removed(thread, member)),
                                new Change.Append(draft(owner, "poison\u0000", null, null, false)))),
                message(thread, member, "still here", null)));
        assertThat(outcomes.get(0)).as("failed").isInstanceOf(CommandOutcome.Refused.class);
        assertThat(outcomes.get(1)).isInstanceOf(CommandOutcome.Done.class);
        assertThat(contents(thread)).containsExactly("still here");
    }

    @Test
    void aChangeWhoseCommitAnswerIsLostHappensOnce() {
        ThreadId thread = newThread();
        AtomicInteger written = new AtomicInteger();
        EffectWriter<ThreadEffect> counting = new EffectWriter<>() {
            private final ThreadEffectWriter real = new ThreadEffectWriter();

            @Override
            public Class<ThreadEffect> type() {
                return ThreadEffect.class;
            }

            @Override
            public void write(SqlBatch batch, List<ThreadEffect> changes) throws SQLException {
                written.addAndGet(changes.size());
                real.write(batch, changes);
            }
        };
        AtomicInteger opened = new AtomicInteger();
        try (Lane lane = lane(() -> opened.getAndIncrement() == 0 ? dyingAfterCommit(plain()) : plain(), counting)) {
            // The command removes its own author: judged again it would be refused.
            Command leave = new Command(
                    UuidV7.next(),
                    thread,
                    member,
                    List.of(new Change.Apply(new ThreadEffect.Left(thread, member)), announcement(member)));
            CommandOutcome outcome = offer(lane, leave).await();
            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            CommandOutcome.Done.class,
                            done -> assertThat(done.events()).hasSize(1));
        }
        assertThat(opened).hasValue(2);
        assertThat(written).hasValue(1);
        assertThat(conversationAfter(thread, 0, 10)).hasSize(1);
        assertThat(members(thread)).containsExactly(owner.value());
    }

    /** A thousand replies and a thousand messages, shuffled, in batches as large as they get. */
    @Test
    void replyThatMissedAMessageOfTheSameBatchIsRefused() {
        List<Actor> agents = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            agents.add(Actor.agent(UUID.randomUUID()));
        }
        ThreadId thread = newThread(agents.toArray(Actor[]::new));
        Random random = new Random(20_251_115);
        List<Command> commands = new ArrayList<>();
        commands.add(message(thread, owner, "start", null));
        long reached = 1;
        for (int i = 0; i < 2_000; i++) {
            if (random.nextBoolean()) {
                commands.add(message(thread, random.nextBoolean() ? owner : member, "question", null));
                reached++;
            } else {
                // The base seq is the end of the thread, or a little before it, as far as the writer can guess.
                long base = Math.max(0, reached - random.nextInt(3));
                commands.add(message(thread, agents.get(random.nextInt(agents.size())), "answer", base));
            }
        }
        List<CommandOutcome> outcomes = inOneBatch(commands);
        List<Entry> log = new ArrayList<>();
        for (List<Entry> page = reader.entriesAfter(thread, 0, 500);
                !page.isEmpty();
                page = reader.entriesAfter(thread, log.size(), 500)) {
            log.addAll(page);
        }
        assertThat(batches.getFirst()).as("one batch").isEqualTo(SETTINGS.batchCommands());
        long accepted = 0;
        for (int i = 0; i < outcomes.size(); i++) {
            Long base = commands.get(i).drafts().getFirst().content().baseSeq();
            if (outcomes.get(i) instanceof CommandOutcome.Done done) {
                Entry entry = done.entries().getFirst().entry();
                if (base != null) {
                    accepted++;
                    assertThat(log.subList(base.intValue(), (int) entry.seq() - 1))
                            .allMatch(between -> between.content()
                                    .author()
                                    .equals(entry.content().author()));
                }
            } else {
                assertThat(base).isNotNull();
                assertThat(problem(outcomes.get(i))).isIn(Problem.STALE_CONTEXT, Problem.INVALID_FIELDS);
            }
        }
        assertThat(accepted).isPositive();
        assertThat(log).hasSize((int) (accepted
                + commands.stream()
                        .filter(command -> command.drafts().getFirst().content().baseSeq() == null)
                        .count()));
        assertThat(log.stream().map(Entry::seq).collect(Collectors.toSet())).hasSize(log.size());
    }

    private List<CommandOutcome> inOneBatch(List<Command> commands) {
        CountDownLatch connecting = new CountDownLatch(1);
        CountDownLatch offered = new CountDownLatch(1);
        List<Attempt> attempts = new ArrayList<>();
        // The connection comes late, so that the next batch holds everything that was offered meanwhile.
        try (Lane lane = lane(
                () -> {
                    connecting.countDown();
                    awaitQuietly(offered);
                    return plain();
                },
                new ThreadEffectWriter())) {
            // The command that makes the lane connect is a batch of its own, and has no effect.
            Attempt first = offer(lane, message(ThreadId.fresh(), owner, "nowhere", null));
            awaitQuietly(connecting);
            commands.forEach(command -> attempts.add(offer(lane, command)));
            offered.countDown();
            first.await();
            return attempts.stream().map(DeferralTest::outcome).toList();
        }
    }

    private static CommandOutcome outcome(Attempt attempt) {
        try {
            return attempt.await();
        } catch (ProblemException failed) {
            return new CommandOutcome.Refused(Refusal.of(failed.problem(), failed.detail()));
        }
    }

    private static @Nullable Problem problem(CommandOutcome outcome) {
        return outcome instanceof CommandOutcome.Refused(Refusal refusal) ? refusal.problem() : null;
    }

    private Lane lane(Lane.Connections connections, EffectWriter<ThreadEffect> changes) {
        LaneMeters meters = new LaneMeters(new SimpleMeterRegistry());
        Rule<Integer> counter = new Rule<>() {
            @Override
            public Integer read(FactSource source, Collection<Head> heads, List<Command> commands) {
                int ours = (int) commands.stream()
                        .filter(command -> command.drafts().stream()
                                .noneMatch(draft -> draft.content().text().equals("nowhere")))
                        .count();
                if (ours > 0 && !source.isMemory()) {
                    batches.add(ours);
                }
                return ours;
            }

            @Override
            public Judge over(Integer facts) {
                return (command, head) -> Optional.empty();
            }
        };
        ThreadFactsCache facts = new ThreadFactsCache();
        BatchRunner runner = new BatchRunner(
                new LaneTransaction(
                        new LogFeatures(
                                List.of(counter, new ThreadRule(facts, 100)),
                                List.of(Follower.of(ReadMark::follow), new EngagementFollower(facts, new RunMemory())),
                                List.of(changes, new ReadMarkWriter())),
                        Clock.systemUTC()),
                events -> {},
                meters);
        return new Lane(0, SETTINGS, runner, connections, meters);
    }

    private static Connection dyingAfterCommit(Connection real) {
        return dying(real, Death.AFTER_COMMIT);
    }

    private static Command message(ThreadId thread, Actor author, String content, @Nullable Long base) {
        return Command.append(thread, draft(author, content, null, base, base != null));
    }

    private static Draft draft(
            Actor author, String content, @Nullable EntryKey key, @Nullable Long base, boolean rejectIfStale) {
        EntryContent said = new EntryContent(
                UuidV7.next().toString(),
                EntryKind.MESSAGE,
                null,
                author,
                author.kind() == Actor.Kind.AGENT ? Role.ASSISTANT : Role.USER,
                content,
                null,
                List.of(),
                null,
                null,
                base,
                null);
        Draft draft = Draft.of(said, key, Fingerprint.of(content, List.of(), null, null));
        return rejectIfStale ? draft.rejectedIfStale() : draft;
    }

    private static Change announcement(Actor actor) {
        return new Change.Announce("thread_updated", actor, "{}");
    }

    private Command change(ThreadEffect effect) {
        return new Command(
                UuidV7.next(), effect.thread(), owner, List.of(new Change.Apply(effect), announcement(owner)));
    }

    private Command remove(ThreadId thread, Actor who) {
        return change(new ThreadEffect.Removed(thread, who));
    }

    private Command archive(ThreadId thread, boolean archived) {
        return change(new ThreadEffect.Archived(thread, archived));
    }

    private Command delete(ThreadId thread) {
        return change(new ThreadEffect.Deleted(thread));
    }

    private Command join(ThreadId thread, Actor who) {
        return change(new ThreadEffect.Joined(thread, List.of(new NewMemberRow(who, "New", TALK))));
    }

    /** A thread with its owner and a member. */
    @Override
    ThreadId newThread() {
        return newThread(new Actor[0]);
    }

    private ThreadId newThread(Actor... agents) {
        ThreadId thread = super.newThread();
        database.transact(handle -> {
            addMember(handle.getConnection(), thread, owner, ALL);
            addMember(handle.getConnection(), thread, member, TALK);
            for (Actor agent : agents) {
                addMember(handle.getConnection(), thread, agent, TALK);
            }
            return agents.length;
        });
        return thread;
    }

    private static void addMember(Connection connection, ThreadId thread, Actor actor, short capabilities) {
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into participants (thread_id, actor, display_name, capabilities, joined_at)"
                        + " values (?, ?, 'Member', ?, now())")) {
            insert.setObject(1, thread.value());
            insert.setString(2, actor.value());
            insert.setShort(3, capabilities);
            insert.executeUpdate();
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private List<String> members(ThreadId thread) {
        return database.read(handle -> handle.createQuery("select actor from participants where thread_id = :thread")
                .bind("thread", thread.value())
                .mapTo(String.class)
                .list());
    }
}
