package dev.parley.attachments;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/** Files and folders that only the server's own user may read. Links are never followed. */
public final class PrivateFiles {
    private static final FileAttribute<?>[] FOLDER = ownerOnly("rwx------");
    private static final FileAttribute<?>[] FILE = ownerOnly("rw-------");

    /**
     * The age from which a file counts as a leftover. No upload takes this long; another node may still be writing a
     * younger file.
     */
    private static final Duration LEFTOVER_AGE = Duration.ofHours(1);

    private PrivateFiles() {}

    /** Creates a folder and its missing parents. */
    public static void makeFolders(Path folder) throws IOException {
        Path above = folder.toAbsolutePath().getParent();
        if (above != null) {
            Files.createDirectories(above);
        }
        makeFolder(folder);
        if (above != null) {
            sync(above);
        }
    }

    /** Creates a folder in an existing folder. Another thread may create the same folder at the same time. */
    public static void makeFolder(Path folder) throws IOException {
        try {
            Files.createDirectory(folder, FOLDER);
        } catch (FileAlreadyExistsException exists) {
            if (!isFolder(folder)) {
                throw new NotDirectoryException(folder.toString());
            }
        }
    }

    public static boolean isFolder(Path folder) {
        return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS);
    }

    public static Path freshFile(Path folder) throws IOException {
        return Files.createTempFile(folder, "", ".part", FILE);
    }

    static FileChannel openToRead(Path file) throws IOException {
        return FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    }

    /** Forces a file's bytes, or a folder's names, onto the disk. */
    public static void sync(Path path) throws IOException {
        try (FileChannel channel = openToRead(path)) {
            channel.force(true);
        }
    }

    /** Deletes the files that a crash left in a folder. Subfolders belong to other users of the folder and stay. */
    static void removeLeftovers(Path folder) throws IOException {
        FileTime old = FileTime.from(Instant.now().minus(LEFTOVER_AGE));
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                // A link is deleted at any age, because no upload creates links.
                if (Files.isSymbolicLink(entry) || !isFolder(entry) && isOlder(entry, old)) {
                    Files.deleteIfExists(entry);
                }
            }
        }
    }

    /** Deletes the files in an existing folder, and then the folder itself unless it has subfolders. */
    public static void remove(Path folder) throws IOException {
        if (!isFolder(folder)) {
            return;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                if (!isFolder(entry)) {
                    Files.deleteIfExists(entry);
                }
            }
        }
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException notEmpty) {
            // A folder that remains does no harm.
        }
    }

    private static boolean isOlder(Path file, FileTime than) throws IOException {
        try {
            return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).compareTo(than) < 0;
        } catch (NoSuchFileException gone) {
            // Another node has just renamed the file.
            return false;
        }
    }

    private static FileAttribute<?>[] ownerOnly(String permissions) {
        boolean known = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        return known
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
