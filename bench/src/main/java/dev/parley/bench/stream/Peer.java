package dev.parley.bench.stream;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** A server that passes tokens of runs on to who views them. Requests are whole HTTP requests. */
interface Peer extends AutoCloseable {
    String name();

    InetSocketAddress address();

    /** The request that opens a run. */
    byte[] open(int run);

    /** The request that opens a run's stream. */
    byte[] view(int run);

    /** The request that posts tokens of a run, from a number on. */
    byte[] post(int run, long first, List<String> tokens);

    /** The request that ends a run. */
    byte[] end(int run, long first);

    /** New runs in place of those that were ended. */
    void renew();

    Duration serverCpu();

    /** Of its database; zero if it has none. */
    Duration databaseCpu();

    @Override
    void close();
}
