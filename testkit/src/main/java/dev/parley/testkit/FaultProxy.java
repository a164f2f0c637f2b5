package dev.parley.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * A TCP proxy on a loopback port that fails on command. It cuts, refuses, holds back and delays connections, and it
 * drops answers, so that the client cannot know whether its request took effect.
 */
public final class FaultProxy implements AutoCloseable {
    private static final Duration LAST_CALL = Duration.ofSeconds(5);

    private final ServerSocket listener;
    private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
    private final Gate gate = new Gate();
    private final AtomicLong dropped = new AtomicLong();
    private final Thread acceptor;
    private volatile InetSocketAddress upstream;
    private volatile boolean refusing;
    private volatile DropPlan plan = DropPlan.none();

    private FaultProxy(InetSocketAddress upstream) throws IOException {
        this.upstream = upstream;
        this.listener = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
        this.acceptor = Thread.ofVirtual().name("fault-proxy-" + port()).start(this::accept);
    }

    public static FaultProxy to(InetSocketAddress upstream) throws IOException {
        return new FaultProxy(upstream);
    }

    /** A proxy to the host and port of an address. */
    public static FaultProxy to(URI upstream) throws IOException {
        return to(new InetSocketAddress(upstream.getHost(), upstream.getPort()));
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** The address of this proxy for HTTP clients of the upstream. */
    public URI uri() {
        return URI.create("http://127.0.0.1:" + port());
    }

    /** Sets the target of new connections, such as a restarted server's port. */
    public void upstream(InetSocketAddress next) {
        upstream = next;
    }

    /** Cuts every open connection at once, in both directions. */
    public void cutAll() {
        connections.forEach(ProxiedConnection::cut);
    }

    /** Sets whether new connections are reset as soon as they are made. */
    public void refuse(boolean value) {
        refusing = value;
    }

    /** Holds all bytes back without closing a connection, like a network that swallows packets. */
    public void pause() {
        gate.pause();
    }

    /** Lets all bytes through again, beginning with the held-back bytes. */
    public void resume() {
        gate.resume();
    }

    /** Holds every chunk back for this long, in both directions. */
    public void delay(Duration length) {
        gate.delay(length);
    }

    /**
     * Drops the answers to the next {@code count} requests. The upstream performs and answers each request, but the
     * proxy cuts the client off before the answer.
     */
    public void dropNextAnswers(int count) {
        dropNextAnswers(count, requestLine -> true);
    }

    /**
     * Drops answers as {@link #dropNextAnswers(int)} does, but counts only requests whose first line matches, such as a
     * line that starts with {@code POST }.
     */
    public void dropNextAnswers(int count, Predicate<String> requestLine) {
        plan = DropPlan.next(count, requestLine);
    }

    /**
     * Drops each answer with this probability. The same seed gives the same choices, in the order in which requests
     * arrive.
     */
    public void dropAnswers(double probability, long seed, Predicate<String> requestLine) {
        plan = DropPlan.random(probability, seed, requestLine);
    }

    public void keepAnswers() {
        plan = DropPlan.none();
    }

    public long droppedAnswers() {
        return dropped.get();
    }

    int openConnections() {
        return connections.size();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                if (refusing) {
                    reset(client);
                } else {
                    Thread.ofVirtual().name("fault-proxy-connect").start(() -> connect(client));
                }
            } catch (IOException e) {
                // The client left before it was accepted, or the proxy is closing. The loop's condition tells the two
                // cases apart.
            }
        }
    }

    private void connect(Socket client) {
        Socket server = new Socket();
        ProxiedConnection connection = new ProxiedConnection(client, server, gate);
        connections.add(connection);
        try {
            // The listener is checked again after the registration. Therefore either close() finds this connection, or
            // this check finds the listener closed.
            if (listener.isClosed()) {
                throw new IOException("closed");
            }
            server.connect(upstream, (int) LAST_CALL.toMillis());
            connection.run(line -> plan.drops(line), dropped::incrementAndGet);
        } catch (IOException e) {
            connection.cut();
        } finally {
            connections.remove(connection);
            connection.finished();
        }
    }

    static void reset(Socket socket) {
        try (socket) {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // The socket is closed already.
        }
    }

    /** Closes everything and returns when all threads have ended. */
    @Override
    public void close() throws IOException {
        listener.close();
        gate.resume();
        cutAll();
        try {
            acceptor.join(LAST_CALL);
            for (ProxiedConnection connection : connections) {
                connection.awaitEnd(LAST_CALL);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
