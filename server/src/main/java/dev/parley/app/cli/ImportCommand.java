package dev.parley.app.cli;

import dev.parley.app.config.Config;
import dev.parley.app.config.ConfigException;
import dev.parley.app.data.BlobStores;
import dev.parley.app.data.FirstStart;
import dev.parley.archive.Import;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Reads an export into an empty database, or resumes such an import. */
public final class ImportCommand {
    private static final String USAGE =
            "import --from FOLDER [--data FOLDER | --database-url URL --database-user USER, and other settings of serve]";

    private ImportCommand() {}

    public static int run(List<String> arguments) {
        if (CommandLine.asksForHelp(arguments)) {
            System.out.println(USAGE);
            return 0;
        }
        CommandLine line = CommandLine.read(arguments, Set.of("--from"), Set.of());
        Config config = Config.load(line.settings(), System.getenv());
        Path folder = Path.of(line.value("--from")
                .orElseThrow(() -> new ConfigException("The flag --from is missing: " + USAGE + ".")));
        Logging.setLevel(config.node().logLevel());
        Import.requireFinished(folder);
        try (CommandDatabase database = CommandDatabase.toFill(config)) {
            boolean good = new Import(
                            folder,
                            database.address(),
                            () -> BlobStores.open(config.stores().storage(), config.data()),
                            config.data().resolve("importing"),
                            FirstStart.files(config),
                            CommandLine.progress())
                    .run();
            return good ? 0 : 1;
        }
    }
}
