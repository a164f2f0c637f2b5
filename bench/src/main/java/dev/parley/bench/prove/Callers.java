package dev.parley.bench.prove;

import dev.parley.bench.rig.Accounts;
import dev.parley.sdk.Parley;
import dev.parley.sdk.RetryPolicy;
import dev.parley.sdk.Token;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The clients of one user, one for each entrance. An entrance is one of several nodes, or the bad network in front of a
 * server.
 */
public final class Callers implements AutoCloseable {
    private final Accounts.User user;
    private final List<Parley> clients = new ArrayList<>();

    /** @param answerLimit the time after which a caller gives a call up and treats its outcome as unknown */
    public Callers(Accounts.User user, List<URI> entrances, Duration answerLimit) {
        this.user = user;
        for (URI entrance : entrances) {
            // The clients do not retry, because the crowd notes every answer and every missing answer.
            clients.add(Parley.at(entrance)
                    .token(new Token(user.token()))
                    .answerLimit(answerLimit)
                    .retryCalls(RetryPolicy.never())
                    .retryStreams(RetryPolicy.never())
                    .connect());
        }
    }

    Accounts.User user() {
        return user;
    }

    /** A member of a crowd that calls as this user. */
    Member member(String name, SplittableRandom random, Incidents incidents) {
        return new Member(name, clients, random, incidents);
    }

    /** The clients of some users. */
    public static List<Callers> of(List<Accounts.User> users, List<URI> entrances, Duration answerLimit) {
        return users.stream()
                .map(user -> new Callers(user, entrances, answerLimit))
                .toList();
    }

    @Override
    public void close() {
        clients.forEach(Parley::close);
    }
}
