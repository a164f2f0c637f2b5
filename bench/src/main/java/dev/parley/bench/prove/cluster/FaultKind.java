package dev.parley.bench.prove.cluster;

import dev.parley.bench.rig.UsageException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** The kinds of faults, by the names that {@code --faults} takes. */
enum FaultKind {
    KILL,
    RESTART,
    FREEZE,
    CLOCK,
    DROP,
    POSTGRES_KILL,
    DATABASE_PARTITION,
    DATABASE_SLOW,
    CONNECTIONS,
    DISK,
    REDIS_KILL,
    REDIS_FLUSH,
    REDIS_FREEZE,
    REDIS_PARTITION,
    REDIS_SLOW;

    /** The name on the command line and in the table. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Reads the value of the flag: all kinds, or some, separated by commas. */
    static List<FaultKind> read(String words) {
        return words.equals("all")
                ? List.of(values())
                : Arrays.stream(words.split(",", -1)).map(FaultKind::of).toList();
    }

    private static FaultKind of(String word) {
        return Arrays.stream(values())
                .filter(kind -> kind.word().equals(word.strip()))
                .findFirst()
                .orElseThrow(
                        () -> new UsageException("There is no fault \"" + word + "\"; there are " + words() + "."));
    }

    static String words() {
        return Arrays.stream(values()).map(FaultKind::word).collect(Collectors.joining(", "));
    }

    /**
     * The wanted kinds that this machine can inject. The method throws if there is none.
     *
     * @param disk true if there is a disk that can be filled
     */
    static List<FaultKind> possible(List<FaultKind> wanted, boolean disk) {
        List<FaultKind> possible =
                wanted.stream().filter(kind -> kind != DISK || disk).toList();
        if (possible.isEmpty()) {
            throw new UsageException(
                    "A disk cannot be filled here: that needs the rights of root. Ask for other faults.");
        }
        return possible;
    }

    /** A fault of this kind with random particulars. */
    Fault make(FaultCluster cluster, SplittableRandom random) {
        NodeFaults nodes = new NodeFaults(cluster.nodes(), random);
        DatabaseFaults database = new DatabaseFaults(cluster, random);
        RedisFaults redis = new RedisFaults(cluster.nodes(), cluster.redis(), random);
        return switch (this) {
            case KILL -> nodes.kill();
            case RESTART -> nodes.restart();
            case FREEZE -> nodes.freeze();
            case CLOCK -> nodes.jump();
            case DROP -> nodes.dropAnswers();
            case POSTGRES_KILL -> database.kill();
            case DATABASE_PARTITION -> database.partition();
            case DATABASE_SLOW -> database.slow();
            case CONNECTIONS -> database.exhaust();
            case DISK -> database.fillDisk(cluster.disk().orElseThrow());
            case REDIS_KILL -> redis.kill();
            case REDIS_FLUSH -> redis.flush();
            case REDIS_FREEZE -> redis.pause();
            case REDIS_PARTITION -> redis.partition();
            case REDIS_SLOW -> redis.slow();
        };
    }
}
