package dev.parley.bench.prove.cluster;

import dev.parley.bench.prove.cluster.Fault.Family;
import dev.parley.testkit.TestRedis;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** What happens to Redis and on the way to it. */
final class RedisFaults {
    private final List<Node> nodes;
    private final TestRedis redis;
    private final SplittableRandom random;

    RedisFaults(Cluster cluster, SplittableRandom random) {
        this.nodes = cluster.nodes();
        this.redis = cluster.redis();
        this.random = random;
    }

    Fault kill() {
        return fault(FaultKind.REDIS_KILL, "Redis", redis::kill, redis::restart);
    }

    Fault flush() {
        return fault(FaultKind.REDIS_FLUSH, "Redis, at the beginning and in the end", redis::flush, redis::flush);
    }

    Fault pause() {
        return fault(FaultKind.REDIS_FREEZE, "Redis", redis::pause, redis::resume);
    }

    Fault partition() {
        boolean all = random.nextBoolean();
        List<Node> hit = all ? nodes : List.of(nodes.get(random.nextInt(nodes.size())));
        boolean swallow = random.nextBoolean();
        return fault(
                FaultKind.REDIS_PARTITION,
                (all ? "all nodes" : hit.getFirst()) + (swallow ? ", nothing is heard" : ", refused"),
                () -> hit.forEach(node -> {
                    if (swallow) {
                        node.redis().pause();
                    } else {
                        node.redis().refuse(true);
                        node.redis().cutAll();
                    }
                }),
                () -> hit.forEach(node -> {
                    node.redis().refuse(false);
                    node.redis().resume();
                }));
    }

    Fault slow() {
        Duration delay = Duration.ofMillis(100 + random.nextInt(1_900));
        return fault(
                FaultKind.REDIS_SLOW,
                "all nodes, " + delay.toMillis() + " ms each way",
                () -> nodes.forEach(node -> node.redis().delay(delay)),
                () -> nodes.forEach(node -> node.redis().delay(Duration.ZERO)));
    }

    private Fault fault(FaultKind kind, String what, Fault.Step begin, Fault.Step end) {
        return new Fault(kind, what, Family.REDIS, begin, Duration.ofSeconds(4 + random.nextInt(5)), end);
    }
}
