package dev.parley.testkit;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The main class of a child process: starts a child of its own, prints both process ids, then ticks until it is ended.
 */
final class TickingChild {
    private TickingChild() {}

    public static void main(String[] arguments) throws IOException {
        Process grandchild = new ProcessBuilder("sleep", "1000").start();
        System.out.println(
                "ready " + arguments[0] + " " + System.getenv("GREETING") + " grandchild " + grandchild.pid());
        for (int tick = 0; ; tick++) {
            System.err.println("tick " + tick);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }
}
