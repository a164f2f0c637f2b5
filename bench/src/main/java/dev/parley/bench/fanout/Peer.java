package dev.parley.bench.fanout;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/** A server that sends what is posted to a channel to all who view it. */
interface Peer extends AutoCloseable {
    String name();

    long pid();

    InetSocketAddress address();

    /** The request that opens a channel's stream. */
    byte[] view(int channel);

    /** Requests that post to a channel, for one poster; each is good until the next one is asked for. */
    IntFunction<ByteBuffer> posts();

    @Override
    void close();
}
