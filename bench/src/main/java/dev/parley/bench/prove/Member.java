package dev.parley.bench.prove;

import dev.parley.bench.rig.Deadline;
import dev.parley.sdk.Parley;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** One member of a crowd: its current entrance, its random choices, and the incidents that it notes. */
final class Member {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final String name;
    private final List<Parley> entrances;
    private final SplittableRandom random;
    private final Incidents incidents;
    private int at;

    /** @param entrances the entrances, of which a random one is the first */
    Member(String name, List<Parley> entrances, SplittableRandom random, Incidents incidents) {
        this.name = name;
        this.entrances = List.copyOf(entrances);
        this.random = random;
        this.incidents = incidents;
        this.at = random.nextInt(entrances.size());
    }

    @Override
    public String toString() {
        return name;
    }

    SplittableRandom random() {
        return random;
    }

    Incidents incidents() {
        return incidents;
    }

    Parley client() {
        return entrances.get(at);
    }

    /** Switches to another entrance, if there is one. */
    void moveOn() {
        if (entrances.size() > 1) {
            at = (at + 1 + random.nextInt(entrances.size() - 1)) % entrances.size();
        }
    }

    void pause(int leastMillis, int spreadMillis) throws InterruptedException {
        Thread.sleep(leastMillis + random.nextInt(spreadMillis));
    }

    /** The work of a member, or a part of it. */
    interface Work {
        void run() throws InterruptedException;
    }

    /** Carries out the work until the work is done or interrupted. An exception is a bug, and becomes an incident. */
    void work(Work work) {
        try {
            work.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException bug) {
            incidents.unexpected(name + " broke off: " + bug);
        }
    }

    /**
     * Repeats a call until its outcome is known or minutes have passed. Each repeat goes to another entrance if there
     * is one.
     */
    <T> Optional<T> insist(String call, Supplier<Optional<T>> attempt) throws InterruptedException {
        Deadline deadline = Deadline.in(TIMEOUT);
        Optional<T> outcome = attempt.get();
        while (outcome.isEmpty()) {
            if (deadline.isOver()) {
                incidents.stuck(call + " had no known outcome for " + TIMEOUT);
                return outcome;
            }
            moveOn();
            pause(20, 150);
            outcome = attempt.get();
        }
        return outcome;
    }
}
