package dev.parley.postgres;

import java.time.Duration;
import java.util.List;

/**
 * The signals of PostgreSQL's shutdown modes
 * (<a href="https://www.postgresql.org/docs/current/server-shutdown.html">PostgreSQL documentation</a>). SIGTERM is
 * left out on purpose: it is the smart shutdown, which waits for every client and so for ever.
 */
enum Signal {
    /** Fast shutdown: clients are cut off, a checkpoint is written. */
    INT,
    /** Immediate shutdown: no checkpoint, the next start recovers from the WAL. */
    QUIT,
    KILL;

    private static final Duration LIMIT = Duration.ofSeconds(5);

    /** Sends this signal; a process that is gone already is no error. */
    void send(long pid) {
        // An interrupted thread could not wait for the command, and the signal would be lost.
        boolean interrupted = Thread.interrupted();
        try {
            // Uses the kill that is built into the shell, because small images ship no kill binary and Java can only
            // send TERM and KILL.
            ShortCommand.run(List.of("/bin/sh", "-c", "kill -" + name() + " \"$0\"", Long.toString(pid)), LIMIT);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
