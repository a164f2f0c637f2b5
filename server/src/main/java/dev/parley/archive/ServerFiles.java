package dev.parley.archive;

import dev.parley.attachments.PrivateFiles;
import dev.parley.basics.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The small files that a server keeps beside its database: its generated secrets and the user of its own machine.
 * Without them user tokens, the URLs of objects and a local user's threads would be lost.
 *
 * @param data the folder of the files
 */
public record ServerFiles(Path data, List<String> names) {
    /** Copies the existing files into an archive; returns the SHA-256 of each by its name. */
    Map<String, String> save(ArchiveFolder archive) throws IOException {
        Map<String, String> saved = new TreeMap<>();
        for (String name : names) {
            if (Files.isRegularFile(data.resolve(name))) {
                byte[] bytes = Files.readAllBytes(data.resolve(name));
                write(archive.server(), name, bytes);
                saved.put(name, sha256(bytes));
            }
        }
        return saved;
    }

    /** Refuses an archive in which a saved file is missing or damaged. */
    static void requireWhole(ArchiveFolder archive, Map<String, String> saved) throws IOException {
        for (Map.Entry<String, String> each : saved.entrySet()) {
            Path file = archive.serverFile(each.getKey());
            if (!Files.isRegularFile(file) || !sha256(Files.readAllBytes(file)).equals(each.getValue())) {
                throw new ArchiveRefused("The file " + file + " is missing or damaged; nothing was changed.");
            }
        }
    }

    /**
     * Copies the saved files from an archive into the data folder. Files that exist in the data folder stay; returns
     * the names of those that differ.
     */
    List<String> restore(ArchiveFolder archive, Map<String, String> saved) throws IOException {
        List<String> different = new ArrayList<>();
        for (String name : names) {
            if (saved.containsKey(name)) {
                byte[] bytes = Files.readAllBytes(archive.serverFile(name));
                if (!Files.exists(data.resolve(name))) {
                    PrivateFiles.makeFolders(data);
                    write(data, name, bytes);
                } else if (!Arrays.equals(bytes, Files.readAllBytes(data.resolve(name)))) {
                    different.add(name);
                }
            }
        }
        return different;
    }

    private static void write(Path folder, String name, byte[] bytes) throws IOException {
        try (AtomicFile target = new AtomicFile(folder, name)) {
            target.write(bytes);
            target.finish();
        }
    }

    private static String sha256(byte[] bytes) {
        return HexFormat.of().formatHex(Sha256.of(bytes));
    }
}
