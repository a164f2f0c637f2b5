package dev.parley.archive;

import dev.parley.protocol.Json;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the rows of one piece, a JSON array each, into files of bounded size. In each file, a JSON object with a
 * table's name and columns precedes the first row of the table.
 */
final class RowWriter implements Closeable {
    private final Path root;
    private final String stem;
    private final long maxBytes;
    private final List<ArchivedFile> finished = new ArrayList<>();
    private final Map<String, Long> rows = new HashMap<>();
    private @Nullable AtomicFile file;
    private @Nullable Table headed;

    /** @param stem the beginning of the files' names, such as {@code threads/000001} */
    RowWriter(ArchiveFolder folder, String stem, long maxBytes) {
        this.root = folder.path();
        this.stem = stem;
        this.maxBytes = maxBytes;
    }

    /** @param line a JSON array and its line end */
    void add(Table table, byte[] line) throws IOException {
        AtomicFile current = file;
        if (current != null && current.bytes() >= maxBytes) {
            finishFile(current);
            current = null;
        }
        if (current == null) {
            current = new AtomicFile(folder(), Path.of(name()).getFileName().toString());
            file = current;
        }
        if (!table.equals(headed)) {
            current.write(header(table));
            headed = table;
        }
        current.write(line);
        rows.merge(table.name(), 1L, Long::sum);
    }

    private static byte[] header(Table table) {
        return (Json.MAPPER.writeValueAsString(new Header(table.name(), table.columnNames())) + "\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** The table and columns of the rows that follow. */
    record Header(String table, List<String> columns) {}

    private String name() {
        return stem + "-" + (finished.size() + 1) + ".jsonl";
    }

    private Path folder() {
        Path parent = root.resolve(name()).getParent();
        return parent == null ? root : parent;
    }

    private void finishFile(AtomicFile current) throws IOException {
        String name = name();
        String sha256 = current.finish();
        finished.add(new ArchivedFile(name, current.bytes(), sha256, Map.copyOf(rows)));
        current.close();
        file = null;
        headed = null;
        rows.clear();
    }

    List<ArchivedFile> finish() throws IOException {
        if (file != null) {
            finishFile(file);
        }
        return List.copyOf(finished);
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
