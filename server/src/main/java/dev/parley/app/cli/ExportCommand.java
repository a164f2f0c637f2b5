package dev.parley.app.cli;

import dev.parley.app.config.Config;
import dev.parley.app.config.ConfigException;
import dev.parley.app.data.BlobStores;
import dev.parley.app.data.FirstStart;
import dev.parley.archive.Export;
import dev.parley.archive.Import;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Writes the complete data of a server into a folder, or resumes an unfinished export. */
public final class ExportCommand {
    private static final String USAGE =
            "export --to FOLDER [--data FOLDER | --database-url URL --database-user USER, and other settings of serve]";

    private ExportCommand() {}

    /** @param version the version of this program; the archive names it as its writer */
    public static int run(List<String> arguments, String version) {
        if (CommandLine.asksForHelp(arguments)) {
            System.out.println(USAGE);
            return 0;
        }
        CommandLine line = CommandLine.read(arguments, Set.of("--to"), Set.of());
        Config config = Config.load(line.settings(), System.getenv());
        Path folder = Path.of(
                line.value("--to").orElseThrow(() -> new ConfigException("The flag --to is missing: " + USAGE + ".")));
        Logging.setLevel(config.node().logLevel());
        try (CommandDatabase database = CommandDatabase.toRead(config)) {
            Import.requireNoneUnfinished(database.address());
            boolean complete = new Export(
                            folder,
                            database.address(),
                            () -> BlobStores.openBeside(config.stores().storage(), config.data()),
                            FirstStart.files(config),
                            version,
                            CommandLine.progress())
                    .run();
            return complete ? 0 : 1;
        }
    }
}
