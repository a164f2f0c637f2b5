package dev.parley.bench.prove;

import dev.parley.bench.rig.Cluster;
import dev.parley.bench.rig.Folders;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.sdk.Parley;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * Checks that a message is on disk when it is acknowledged. A kill cannot show this, because the writes of a killed
 * process are still in the kernel's memory. Only a power cut would lose these writes.
 */
final class FlushProof {
    private FlushProof() {}

    static LogFinding run(Path folder, int messages) throws SQLException {
        try (Cluster cluster = Cluster.single(Folders.empty(folder), 1, Map.of());
                Parley client = cluster.user(0).connect(cluster.uri());
                FlushWatch watch = new FlushWatch(cluster.connect())) {
            ThreadId thread = cluster.accounts().makeThreads(cluster.uri(), 1).getFirst();
            for (int i = 1; i <= messages; i++) {
                client.thread(thread).post(NewMessage.text("message " + i));
                watch.check();
            }
            List<String> violations = watch.convinced() ? List.of() : List.of(watch.toString());
            return LogFinding.of("on disk when acknowledged", 0, 0, messages, messages, Map.of(), violations);
        }
    }
}
