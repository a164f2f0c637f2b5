package dev.parley.bench.prove.cluster;

import dev.parley.bench.rig.UsageException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** The kinds of faults, by the names that {@code --faults} takes. */
enum FaultKind {
    KILL("kill"),
    RESTART("restart"),
    FREEZE("freeze"),
    CLOCK("clock"),
    DROP("drop"),
    POSTGRES_KILL("postgres-kill"),
    DATABASE_PARTITION("database-partition"),
    DATABASE_SLOW("database-slow"),
    CONNECTIONS("connections"),
    DISK("disk"),
    REDIS_KILL("redis-kill"),
    REDIS_FLUSH("redis-flush"),
    REDIS_FREEZE("redis-freeze"),
    REDIS_PARTITION("redis-partition"),
    REDIS_SLOW("redis-slow");

    private final String word;

    FaultKind(String word) {
        this.word = word;
    }

    /** What the command line and the table call it. */
    String word() {
        return word;
    }

    static Optional<FaultKind> of(String word) {
        return Arrays.stream(values()).filter(kind -> kind.word.equals(word)).findFirst();
    }

    static String words() {
        return Arrays.stream(values()).map(FaultKind::word).collect(Collectors.joining(", "));
    }

    /**
     * Those that are possible; refused if none is.
     *
     * @param disk whether there is a disk that can be filled
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

    /** One fault of this kind, its particulars chosen by chance. */
    Fault make(Cluster cluster, SplittableRandom random) {
        NodeFaults nodes = new NodeFaults(cluster.nodes(), random);
        DatabaseFaults database = new DatabaseFaults(cluster, random);
        RedisFaults redis = new RedisFaults(cluster, random);
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
