package dev.parley.archive;

import dev.parley.attachments.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The small files that a server keeps beside its database: the secrets that it made for itself and the user of its own
 * machine. Without them user tokens, the URLs of objects and a local user's threads would not be found again.
 */
public record ServerFiles(List<String> names) {
    /** Copies those that are there into an archive. */
    public void save(Path data, Path archive) {
        copy(data, archive.resolve(ArchiveFolder.SERVER));
    }

    /** Copies those that are there out of an archive; returns those that the data folder has otherwise, which stay. */
    public List<String> restore(Path archive, Path data) {
        return copy(archive.resolve(ArchiveFolder.SERVER), data);
    }

    private List<String> copy(Path from, Path to) {
        List<String> different = new ArrayList<>();
        try {
            for (String name : names) {
                Path file = from.resolve(name);
                if (Files.isRegularFile(file) && !copy(file, to, name)) {
                    different.add(name);
                }
            }
        } catch (IOException failed) {
            throw new ArchiveRefused("The server's own files cannot be copied to " + to + ": " + failed + ".", failed);
        }
        return different;
    }

    private static boolean copy(Path file, Path to, String name) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        if (Files.exists(to.resolve(name))) {
            return Arrays.equals(bytes, Files.readAllBytes(to.resolve(name)));
        }
        PrivateFiles.makeFolders(to);
        try (RisingFile rising = new RisingFile(to, name)) {
            rising.write(bytes);
            rising.finish();
        }
        return true;
    }
}
