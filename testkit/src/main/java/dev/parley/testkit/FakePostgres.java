package dev.parley.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A server that speaks enough of <a href="https://www.postgresql.org/docs/current/protocol.html">PostgreSQL's wire
 * protocol</a> to let a driver authenticate and to answer {@code show}. Every other statement does nothing. The fake
 * replaces servers that no test could run, because they are too old or are set to lose acknowledged data.
 */
public final class FakePostgres implements AutoCloseable {
    private static final int SSL_REQUEST = 80_877_103;
    private static final int GSS_REQUEST = 80_877_104;
    private static final int MAX_MESSAGE_BYTES = 1024 * 1024;
    private static final int TEXT_TYPE = 25;
    private static final int IDLE = 'I';

    private final ServerSocket listener;
    private final Map<String, String> settings = new HashMap<>(Map.of(
            "server_version", "18.0",
            "server_encoding", "UTF8",
            "client_encoding", "UTF8",
            "standard_conforming_strings", "on",
            "DateStyle", "ISO, MDY",
            "TimeZone", "UTC",
            "fsync", "on",
            "full_page_writes", "on",
            "synchronous_commit", "on"));
    private final Set<Socket> clients = ConcurrentHashMap.newKeySet();

    private FakePostgres(Map<String, String> changed) throws IOException {
        settings.putAll(changed);
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("fake-postgres").start(this::accept);
    }

    /** A server that is healthy except for these settings, which may include {@code server_version}. */
    public static FakePostgres with(Map<String, String> changed) throws IOException {
        return new FakePostgres(changed);
    }

    public String jdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:" + listener.getLocalPort() + "/fake";
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                clients.add(client);
                Thread.ofVirtual().name("fake-postgres-session").start(() -> serve(client));
            } catch (IOException e) {
                // The server is closing, or the client is gone. The loop's condition tells the two cases apart.
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            new Session(client).run();
        } catch (IOException e) {
            // The client hung up and needs no answer.
        } finally {
            clients.remove(client);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket client : clients) {
            client.close();
        }
    }

    /** One client's connection, for simple and extended queries. */
    private final class Session {
        private final DataInputStream in;
        private final DataOutputStream out;
        private String statement = "";

        Session(Socket client) throws IOException {
            in = new DataInputStream(client.getInputStream());
            out = new DataOutputStream(client.getOutputStream());
        }

        void run() throws IOException {
            signIn();
            while (true) {
                int kind = in.readUnsignedByte();
                byte[] body = body();
                switch (kind) {
                    case 'Q' -> {
                        statement = text(body, 0);
                        if (settingValue() != null) {
                            describe();
                        }
                        execute();
                        ready();
                    }
                    case 'P' -> {
                        // The message has the statement's name before its text.
                        statement = text(body, text(body, 0).length() + 1);
                        send('1', new byte[0]);
                    }
                    case 'B' -> send('2', new byte[0]);
                    case 'D' -> describe();
                    case 'E' -> execute();
                    case 'C' -> send('3', new byte[0]);
                    case 'S' -> ready();
                    case 'H' -> out.flush();
                    default -> {
                        return;
                    }
                }
            }
        }

        private void signIn() throws IOException {
            byte[] greeting = body();
            while (isRequestFor(SSL_REQUEST, greeting) || isRequestFor(GSS_REQUEST, greeting)) {
                out.write('N');
                out.flush();
                greeting = body();
            }
            send('R', new byte[4]);
            for (Map.Entry<String, String> each : settings.entrySet()) {
                send('S', (each.getKey() + "\0" + each.getValue() + "\0").getBytes(UTF_8));
            }
            send('K', new byte[8]);
            ready();
        }

        private static boolean isRequestFor(int code, byte[] greeting) {
            return greeting.length == 4 && new BigInteger(greeting).intValue() == code;
        }

        private byte[] body() throws IOException {
            int length = in.readInt() - 4;
            if (length < 0 || length > MAX_MESSAGE_BYTES) {
                throw new IOException("a message of " + length + " bytes");
            }
            return in.readNBytes(length);
        }

        private static String text(byte[] body, int from) {
            int end = from;
            while (end < body.length && body[end] != 0) {
                end++;
            }
            return new String(body, from, end - from, UTF_8);
        }

        /** The value of a {@code show} statement; null for any other statement. */
        private @Nullable String settingValue() {
            String[] words = statement.strip().split("\\s+");
            return words.length == 2 && words[0].toLowerCase(Locale.ROOT).equals("show")
                    ? settings.getOrDefault(words[1], "")
                    : null;
        }

        private void describe() throws IOException {
            if (settingValue() == null) {
                send('n', new byte[0]);
                return;
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream row = new DataOutputStream(bytes);
            row.writeShort(1);
            row.write("setting\0".getBytes(UTF_8));
            row.writeInt(0);
            row.writeShort(0);
            row.writeInt(TEXT_TYPE);
            row.writeShort(-1);
            row.writeInt(-1);
            row.writeShort(0);
            send('T', bytes.toByteArray());
        }

        private void execute() throws IOException {
            String value = settingValue();
            if (value != null) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                DataOutputStream row = new DataOutputStream(bytes);
                row.writeShort(1);
                row.writeInt(value.getBytes(UTF_8).length);
                row.write(value.getBytes(UTF_8));
                send('D', bytes.toByteArray());
            }
            send('C', (value == null ? "SET\0" : "SHOW\0").getBytes(UTF_8));
        }

        private void ready() throws IOException {
            send('Z', new byte[] {(byte) IDLE});
            out.flush();
        }

        private void send(int kind, byte[] body) throws IOException {
            out.write(kind);
            out.writeInt(body.length + 4);
            out.write(body);
        }
    }
}
