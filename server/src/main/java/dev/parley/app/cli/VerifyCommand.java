package dev.parley.app.cli;

import dev.parley.app.config.Config;
import dev.parley.app.config.ConfigException;
import dev.parley.app.data.BlobStores;
import dev.parley.archive.Import;
import dev.parley.archive.Verification;
import dev.parley.attachments.BlobStore;
import dev.parley.protocol.ThreadId;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checks that the log is unchanged since it was written. The exit status is 0 for an unchanged log; otherwise it is 1,
 * and each finding is printed on a line.
 */
public final class VerifyCommand {
    private static final String USAGE =
            "verify [--thread ID] [--blobs] [--data FOLDER | --database-url URL …, and other settings of serve]";

    private VerifyCommand() {}

    public static int run(List<String> arguments) {
        if (CommandLine.asksForHelp(arguments)) {
            System.out.println(USAGE);
            return 0;
        }
        CommandLine line = CommandLine.read(arguments, Set.of("--thread"), Set.of("--blobs"));
        Optional<ThreadId> thread = line.value("--thread")
                .map(text -> ThreadId.parse(text)
                        .orElseThrow(() ->
                                new ConfigException("--thread is \"" + text + "\", but a thread's id is expected.")));
        Config config = Config.load(line.settings(), System.getenv());
        Logging.setLevel(config.node().logLevel());
        try (CommandDatabase database = CommandDatabase.toRead(config)) {
            Import.requireNoneUnfinished(database.address());
            Verification verification = new Verification(database.address(), CommandLine.progress());
            boolean good = thread.isPresent() ? verification.run(thread.get()) : verification.run();
            if (line.has("--blobs")) {
                try (BlobStore store = BlobStores.openBeside(config.stores().storage(), config.data())) {
                    good &= verification.runOnBlobs(store);
                }
            }
            return good ? 0 : 1;
        }
    }
}
