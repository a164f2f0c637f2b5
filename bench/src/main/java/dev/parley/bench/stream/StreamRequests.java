package dev.parley.bench.stream;

import java.util.List;

/** The HTTP requests that a server accepts for its runs. */
interface StreamRequests {
    /** Opens a run. */
    byte[] open(int run);

    /** Opens a run's stream. */
    byte[] view(int run);

    /** Posts tokens of a run; {@code first} is the number of the first one. */
    byte[] post(int run, long first, List<String> tokens);

    /** Ends a run. */
    byte[] end(int run, long first);

    /** Replaces the ended runs with new runs. */
    void renew();
}
