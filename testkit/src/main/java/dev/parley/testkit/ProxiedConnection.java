package dev.parley.testkit;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * One connection through a proxy. Two pumps share the state of the current exchange. An exchange begins with the first
 * bytes that the client sends after an answer. The answer begins with the next bytes that the upstream sends.
 */
final class ProxiedConnection {
    private enum Exchange {
        NONE,
        KEPT,
        DROPPED
    }

    private final Socket client;
    private final Socket server;
    private final Gate gate;
    private final CountDownLatch ended = new CountDownLatch(1);
    private Exchange exchange = Exchange.NONE;
    private volatile boolean cut;

    ProxiedConnection(Socket client, Socket server, Gate gate) {
        this.client = client;
        this.server = server;
        this.gate = gate;
    }

    /** Pumps until both sides have ended. */
    void run(Predicate<String> drops, Runnable onDrop) throws IOException {
        try {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            Thread answers = Thread.ofVirtual().name("fault-proxy-answers").start(() -> pumpAnswers(onDrop));
            pump(client, server, (bytes, length) -> {
                beginExchange(bytes, length, drops);
                return true;
            });
            answers.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            cut();
        }
    }

    private void pumpAnswers(Runnable onDrop) {
        pump(server, client, (bytes, length) -> {
            if (endExchange() != Exchange.DROPPED) {
                return true;
            }
            onDrop.run();
            cut();
            return false;
        });
    }

    private synchronized void beginExchange(byte[] bytes, int length, Predicate<String> drops) {
        if (exchange == Exchange.NONE) {
            String start = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
            String line = start.lines().findFirst().orElse("");
            exchange = drops.test(line) ? Exchange.DROPPED : Exchange.KEPT;
        }
    }

    private synchronized Exchange endExchange() {
        Exchange ending = exchange;
        exchange = Exchange.NONE;
        return ending;
    }

    private interface Filter {
        boolean passes(byte[] bytes, int length);
    }

    private void pump(Socket from, Socket to, Filter filter) {
        byte[] buffer = new byte[16 * 1024];
        try {
            int length = from.getInputStream().read(buffer);
            while (length >= 0) {
                gate.pass(() -> cut);
                if (cut || !filter.passes(buffer, length)) {
                    return;
                }
                to.getOutputStream().write(buffer, 0, length);
                length = from.getInputStream().read(buffer);
            }
            gate.pass(() -> cut);
            to.shutdownOutput();
        } catch (IOException e) {
            cut();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            cut();
        }
    }

    /** Resets both sides. */
    void cut() {
        cut = true;
        FaultProxy.reset(client);
        FaultProxy.reset(server);
        gate.nudge();
    }

    void finished() {
        ended.countDown();
    }

    void awaitEnd(Duration limit) throws InterruptedException {
        if (!ended.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("A proxied connection did not end within " + limit);
        }
    }
}
