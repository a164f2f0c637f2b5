package dev.parley.bench.prove.cluster;

import dev.parley.bench.prove.FinalLogs;
import dev.parley.log.Digest;
import dev.parley.protocol.ThreadId;
import dev.parley.sdk.Token;
import dev.parley.testkit.history.LogEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads threads again at the end of a proof. Each log must be the same as at the end of its own round. */
final class LogRecheck {
    private LogRecheck() {}

    static Digest digest(List<LogEntry> log) {
        Digest.Builder all = new Digest.Builder();
        for (LogEntry entry : log) {
            all.add(entry.seq())
                    .add(entry.id())
                    .add(entry.sender())
                    .add(entry.key())
                    .add(entry.content());
        }
        return all.finish();
    }

    /** The differences from the earlier digests, in words. */
    static List<String> compare(FaultCluster cluster, Token token, Map<ThreadId, Digest> before) {
        List<String> violations = new ArrayList<>();
        try {
            FinalLogs.read(cluster.anEntrance(), token, List.copyOf(before.keySet()))
                    .forEach((thread, log) -> {
                        if (!digest(log).equals(before.get(thread))) {
                            violations.add("thread " + thread + " is not what it was when its round ended");
                        }
                    });
        } catch (RuntimeException unreadable) {
            violations.add("the threads could not be read: " + unreadable);
        }
        return violations;
    }
}
