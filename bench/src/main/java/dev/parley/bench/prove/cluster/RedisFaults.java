package dev.parley.bench.prove.cluster;

import dev.parley.bench.prove.cluster.Fault.Family;
import dev.parley.testkit.TestRedis;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** Faults of Redis and of the networks in front of it. */
record RedisFaults(List<Node> nodes, TestRedis redis, SplittableRandom random) {
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
                (all ? "all nodes" : hit.getFirst()) + (swallow ? ", packets swallowed" : ", refused"),
                () -> hit.forEach(node -> Fault.block(node.redis(), swallow)),
                () -> hit.forEach(node -> Fault.unblock(node.redis())));
    }

    Fault slow() {
        Duration delay = Duration.ofMillis(100 + random.nextInt(1_900));
        return fault(
                FaultKind.REDIS_SLOW,
                "all nodes, " + delay.toMillis() + " ms each way",
                () -> nodes.forEach(node -> node.redis().delay(delay)),
                () -> nodes.forEach(node -> node.redis().delay(Duration.ZERO)));
    }

    private Fault fault(FaultKind kind, String particulars, Fault.Step begin, Fault.Step end) {
        return new Fault(kind, particulars, Family.REDIS, begin, Duration.ofSeconds(4 + random.nextInt(5)), end);
    }
}
