package dev.parley.bench.prove;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.sdk.ParleyProblem;
import dev.parley.sdk.ParleyUnreachable;
import dev.parley.testkit.history.WriterNotes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Posts messages one after the other. The writer repeats each message with the same key until the outcome is known, at
 * another server address if there is one. Now and then it repeats an old key with the same or another body, or races
 * another writer of the same sender for a key.
 */
final class Writer implements Runnable {
    private static final int REMEMBERED = 50;
    /** The writer moves to another server address after about one message in this many, even if nothing failed. */
    private static final int MOVES = 20;

    private final Member member;
    private final WriterNotes notes;
    private final List<ThreadId> threads;
    private final AtomicLong contested;
    private final Acknowledgements acknowledgements;
    private final int longestPauseMillis;
    private final BooleanSupplier goOn;
    private final List<Sent> earlier = new ArrayList<>();
    private long count;

    private record Sent(ThreadId thread, String key, String body) {}

    /** @param contested counts the keys that writers of the same sender race for */
    Writer(
            Member member,
            WriterNotes notes,
            List<ThreadId> threads,
            AtomicLong contested,
            Acknowledgements acknowledgements,
            int longestPauseMillis,
            BooleanSupplier goOn) {
        this.member = member;
        this.notes = notes;
        this.threads = threads;
        this.contested = contested;
        this.acknowledgements = acknowledgements;
        this.longestPauseMillis = longestPauseMillis;
        this.goOn = goOn;
    }

    @Override
    public void run() {
        member.work(() -> {
            while (goOn.getAsBoolean()) {
                Sent sent = next();
                member.insist(sent.key() + " of " + member, () -> attempt(sent));
                if (member.random().nextInt(MOVES) == 0) {
                    member.moveOn();
                }
                member.pause(0, longestPauseMillis);
            }
        });
    }

    private Sent next() {
        SplittableRandom random = member.random();
        int choice = random.nextInt(100);
        if (choice < 5 && !earlier.isEmpty()) {
            return anEarlier();
        }
        if (choice < 10 && !earlier.isEmpty()) {
            Sent before = anEarlier();
            return new Sent(before.thread(), before.key(), "another body under " + before.key());
        }
        if (choice < 20) {
            long n = Math.max(0, contested.get() - random.nextInt(2));
            contested.compareAndSet(n, n + random.nextInt(2));
            ThreadId thread = threads.get((int) (n % threads.size()));
            return new Sent(thread, "contested-" + n, "contested " + n + (random.nextBoolean() ? " one" : " two"));
        }
        count++;
        return remember(new Sent(
                threads.get(random.nextInt(threads.size())),
                member + "-" + count,
                "message " + count + " of " + member));
    }

    private Sent anEarlier() {
        return earlier.get(member.random().nextInt(earlier.size()));
    }

    private Sent remember(Sent sent) {
        if (earlier.size() == REMEMBERED) {
            earlier.removeFirst();
        }
        earlier.add(sent);
        return sent;
    }

    /** Makes one attempt. The result is the answer, or empty if the outcome of the message is still unknown. */
    private Optional<String> attempt(Sent sent) {
        long start = System.nanoTime();
        try {
            notes.acknowledged(
                    sent.thread(),
                    sent.key(),
                    sent.body(),
                    member.client().thread(sent.thread()).post(NewMessage.keyed(sent.body(), sent.key())));
            acknowledgements.add(start);
            return Optional.of("acknowledged");
        } catch (ParleyUnreachable unanswered) {
            member.incidents().count("no answer");
        } catch (ParleyProblem problem) {
            member.incidents().count(problem.slug());
            if (!problem.retryable()) {
                notes.refused(sent.thread(), sent.key(), sent.body(), problem.slug());
                if (!problem.slug().equals(Problem.KEY_REUSED.slug())) {
                    member.incidents().unexpected(member + " was refused: " + problem.getMessage());
                }
                return Optional.of(problem.slug());
            }
        }
        notes.unknown(sent.thread(), sent.key(), sent.body());
        return Optional.empty();
    }
}
