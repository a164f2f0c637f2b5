package dev.parley.bench.rig;

import dev.parley.auth.AuthSettings;
import dev.parley.auth.UserTokens;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.NewThread;
import dev.parley.sdk.Parley;
import dev.parley.sdk.Token;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** The users of a run, and the secret that makes a server under test accept their tokens. */
public final class Accounts {
    private static final Duration TTL = Duration.ofDays(7);
    private static final int MAX_NAME = 200;
    private static final int AT_ONCE = 8;

    private final String secret = UUID.randomUUID() + "-" + UUID.randomUUID();
    private final List<User> users = new ArrayList<>();

    /** A user with a token of its own. */
    public record User(UUID id, String token) {
        public Actor actor() {
            return Actor.user(id);
        }

        /** A client with which this user calls a server. */
        public Parley connect(URI server) {
            return Parley.connect(server, new Token(token));
        }
    }

    public Accounts(int count) {
        UserTokens tokens = new UserTokens(
                new AuthSettings(
                        List.of(secret.getBytes(StandardCharsets.UTF_8)),
                        Optional.empty(),
                        "authenticated",
                        Optional.empty(),
                        Set.of(),
                        Optional.empty(),
                        Optional.empty(),
                        MAX_NAME),
                Clock.systemUTC());
        for (int i = 1; i <= count; i++) {
            UUID id = UUID.randomUUID();
            users.add(new User(id, tokens.mint(id, "Writer " + i, TTL)));
        }
    }

    public List<User> users() {
        return List.copyOf(users);
    }

    /** The environment of a server that accepts the tokens. */
    public Map<String, String> environment() {
        return Map.of("PARLEY_JWT_SECRET", secret);
    }

    /** Creates threads with all the users as participants. */
    public List<ThreadId> makeThreads(URI server, int count) {
        List<User> others = users.subList(1, users.size());
        return makeThreads(server, count, thread -> others);
    }

    /** Creates threads of the first user. The other users spread over these threads, each user in one thread. */
    public List<ThreadId> makeThreadsApart(URI server, int count) {
        return makeThreads(
                server,
                count,
                thread -> IntStream.range(1, users.size())
                        .filter(other -> other % count == thread)
                        .mapToObj(users::get)
                        .toList());
    }

    /** @param others the members of each thread besides the first user */
    private List<ThreadId> makeThreads(URI server, int count, IntFunction<List<User>> others) {
        try (Parley client = users.getFirst().connect(server);
                ExecutorService some = Executors.newFixedThreadPool(AT_ONCE)) {
            List<Future<ThreadId>> made = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                List<String> members = others.apply(i).stream()
                        .map(user -> user.id().toString())
                        .toList();
                NewThread wanted = new NewThread(null, "Measured", members, null, null, null);
                made.add(some.submit(() -> client.createThread(wanted).threadId()));
            }
            List<ThreadId> threads = new ArrayList<>();
            for (Future<ThreadId> each : made) {
                threads.add(each.get());
            }
            return threads;
        } catch (ExecutionException failed) {
            throw new IllegalStateException("The threads of the run could not be made", failed.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while making the threads of the run", e);
        }
    }
}
