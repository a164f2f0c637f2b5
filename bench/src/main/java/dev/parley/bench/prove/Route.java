package dev.parley.bench.prove;

import dev.parley.sdk.Parley;
import java.util.List;
import java.util.SplittableRandom;

/** Knows where one member of a crowd calls now, and where it turns after any doubt: to another entrance, if there is one. */
final class Route {
    private final List<Parley> clients;
    private final SplittableRandom random;
    private int at;

    Route(List<Parley> clients, SplittableRandom random) {
        this.clients = List.copyOf(clients);
        this.random = random.split();
        this.at = this.random.nextInt(clients.size());
    }

    Parley here() {
        return clients.get(at);
    }

    void moveOn() {
        if (clients.size() > 1) {
            at = (at + 1 + random.nextInt(clients.size() - 1)) % clients.size();
        }
    }
}
