package dev.parley.bench.prove;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.sdk.ParleyProblem;
import dev.parley.sdk.ParleyUnreachable;
import dev.parley.testkit.history.WriterNotes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Posts one message after the other and sends each again with the same key, at another entrance if there is one, until
 * it is told what became of it. Now and then it repeats an old key with the same or another body, or races another
 * writer of the same sender for a key.
 */
final class Writer implements Runnable {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int REMEMBERED = 50;
    /** One in so many messages goes to another entrance without any need. */
    private static final int MOVES = 20;

    private final String name;
    private final Route route;
    private final WriterNotes notes;
    private final List<ThreadId> threads;
    private final AtomicLong contested;
    private final SplittableRandom random;
    private final Acknowledgements acknowledgements;
    private final Incidents incidents;
    private final int longestPauseMillis;
    private final BooleanSupplier goOn;
    private final List<Sent> earlier = new ArrayList<>();
    private long count;

    private record Sent(ThreadId thread, String key, String body) {}

    /** @param contested counts up the keys that writers of the same sender race for */
    Writer(
            String name,
            Route route,
            WriterNotes notes,
            List<ThreadId> threads,
            AtomicLong contested,
            SplittableRandom random,
            Acknowledgements acknowledgements,
            Incidents incidents,
            int longestPauseMillis,
            BooleanSupplier goOn) {
        this.name = name;
        this.route = route;
        this.notes = notes;
        this.threads = threads;
        this.contested = contested;
        this.random = random;
        this.acknowledgements = acknowledgements;
        this.incidents = incidents;
        this.longestPauseMillis = longestPauseMillis;
        this.goOn = goOn;
    }

    @Override
    public void run() {
        try {
            while (goOn.getAsBoolean()) {
                post(next());
                if (random.nextInt(MOVES) == 0) {
                    route.moveOn();
                }
                Thread.sleep(random.nextInt(longestPauseMillis));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException bug) {
            incidents.unexpected("writer " + name + " broke off: " + bug);
        }
    }

    private Sent next() {
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
                threads.get(random.nextInt(threads.size())), name + "-" + count, "message " + count + " of " + name));
    }

    private Sent anEarlier() {
        return earlier.get(random.nextInt(earlier.size()));
    }

    private Sent remember(Sent sent) {
        if (earlier.size() == REMEMBERED) {
            earlier.removeFirst();
        }
        earlier.add(sent);
        return sent;
    }

    private void post(Sent sent) throws InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!tried(sent)) {
            if (System.nanoTime() - deadline > 0) {
                incidents.stuck("writer " + name + " was told nothing of " + sent.key() + " for " + TIMEOUT);
                return;
            }
            route.moveOn();
            Thread.sleep(20 + random.nextInt(150));
        }
    }

    /** One attempt; true if the writer now knows. */
    private boolean tried(Sent sent) {
        long start = System.nanoTime();
        try {
            notes.acknowledged(
                    sent.thread(),
                    sent.key(),
                    sent.body(),
                    route.here().thread(sent.thread()).post(NewMessage.keyed(sent.body(), sent.key())));
            acknowledgements.add(start);
            return true;
        } catch (ParleyUnreachable nobody) {
            incidents.met("no answer");
            notes.unknown(sent.thread(), sent.key(), sent.body());
            return false;
        } catch (ParleyProblem problem) {
            incidents.met(problem.slug());
            if (problem.retryable()) {
                notes.unknown(sent.thread(), sent.key(), sent.body());
                return false;
            }
            notes.refused(sent.thread(), sent.key(), sent.body(), problem.slug());
            if (!problem.slug().equals(Problem.KEY_REUSED.slug())) {
                incidents.unexpected("writer " + name + " was refused: " + problem.getMessage());
            }
            return true;
        }
    }
}
