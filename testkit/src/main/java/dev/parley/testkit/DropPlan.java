package dev.parley.testkit;

import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** Decides for each request whether its answer is dropped. */
sealed interface DropPlan {
    boolean drops(String requestLine);

    static DropPlan none() {
        return new Next(new AtomicInteger(0), requestLine -> false);
    }

    static DropPlan next(int count, Predicate<String> requestLine) {
        return new Next(new AtomicInteger(count), requestLine);
    }

    static DropPlan random(double probability, long seed, Predicate<String> requestLine) {
        return new Chance(probability, new Random(seed), requestLine);
    }

    /** Drops the answers to the next matching requests. */
    record Next(AtomicInteger left, Predicate<String> requestLine) implements DropPlan {
        @Override
        public boolean drops(String line) {
            return requestLine.test(line) && left.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
        }
    }

    /** Drops each answer with the same probability. */
    record Chance(double probability, Random random, Predicate<String> requestLine) implements DropPlan {
        @Override
        public boolean drops(String line) {
            return requestLine.test(line) && random.nextDouble() < probability;
        }
    }
}
