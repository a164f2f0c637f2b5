package dev.parley.upgrade;

import dev.parley.protocol.Json;
import dev.parley.testing.Nodes;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Writes the data that {@link UpgradeTest} begins with: a server is used and stopped, and all of its rows and files are
 * saved in a folder of the tests. Run it on the last commit that has the schema, before the first migration after it;
 * see docs/operate/nodes.md.
 */
final class SaveServer {
    static final String ROWS = "rows.copy";
    static final String MEMORY = "memory.json";
    static final String BLOBS = "blobs";

    private SaveServer() {}

    /** @param arguments the folder to write to */
    public static void main(String[] arguments) throws IOException, SQLException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        try (Nodes nodes = Nodes.onFreshDatabase()) {
            Nodes.Node node = nodes.start(LivedIn.flags());
            JsonNode memory = LivedIn.in(node);
            node.close();
            Files.writeString(
                    folder.resolve(MEMORY),
                    Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(memory) + "\n");
            try (Connection connection = nodes.connect();
                    Writer rows = Files.newBufferedWriter(folder.resolve(ROWS))) {
                SavedRows.write(connection, rows);
            }
            copy(nodes.storage(), folder.resolve(BLOBS));
        }
    }

    static void copy(Path from, Path to) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(from)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            Path copy = to.resolve(from.relativize(file).toString());
            Files.createDirectories(copy.getParent());
            Files.copy(file, copy);
        }
    }
}
