package dev.parley.bench.prove;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.Cleanup;
import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.ServerProcess;
import dev.parley.postgres.EmbeddedPostgres;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.sdk.Parley;
import dev.parley.sdk.Token;
import dev.parley.testkit.TestPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks that a message is on disk when it is acknowledged. Kills cannot show that: what a killed process wrote is
 * still in the kernel's memory, and only a power cut would lose it.
 */
final class FlushProof {
    private static final String DATABASE = "parley";

    private final Path folder;

    FlushProof(Path folder) {
        this.folder = folder;
    }

    Finding run(int messages) throws SQLException {
        Folders.empty(folder);
        try (Cleanup cleanup = new Cleanup()) {
            EmbeddedPostgres postgres = cleanup.keep(EmbeddedPostgres.start(
                    EmbeddedPostgres.Settings.of(folder.resolve("postgres"), TestPostgres.programs())));
            postgres.createDatabaseIfMissing(DATABASE);
            Accounts accounts = new Accounts(1);
            ServerProcess server = cleanup.keep(start(postgres, accounts));
            try (Connection connection = DriverManager.getConnection(
                            postgres.jdbcUrl(DATABASE), postgres.user(), postgres.password());
                    FlushWatch watch = new FlushWatch(connection)) {
                post(server, accounts, messages, watch);
                return finding(messages, watch);
            }
        }
    }

    private ServerProcess start(EmbeddedPostgres postgres, Accounts accounts) {
        Map<String, String> environment = new HashMap<>(accounts.environment());
        environment.put("PARLEY_DATABASE_PASSWORD", postgres.password());
        return ServerProcess.start(
                folder.resolve("server"),
                environment,
                List.of("--database-url", postgres.jdbcUrl(DATABASE), "--database-user", postgres.user()));
    }

    private static void post(ServerProcess server, Accounts accounts, int messages, FlushWatch watch)
            throws SQLException {
        ThreadId thread = accounts.makeThreads(server.uri(), 1).getFirst();
        Token token = new Token(accounts.users().getFirst().token());
        try (Parley client = Parley.connect(server.uri(), token)) {
            for (int i = 1; i <= messages; i++) {
                client.thread(thread).post(NewMessage.text("message " + i));
                watch.ask();
            }
        }
    }

    private static Finding finding(int messages, FlushWatch watch) {
        return new Finding(
                "on disk when acknowledged",
                0,
                0,
                messages,
                messages,
                0,
                0,
                0,
                List.of(),
                Map.of(),
                watch.convinced() ? List.of() : List.of(watch.toString()));
    }
}
