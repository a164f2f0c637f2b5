package dev.parley.release;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import java.util.jar.Attributes;

/**
 * The last step of {@code ./parley release}: packs the built files. The manifest of this program's jar contains the
 * version and the time that the archive gets.
 */
public final class Main {
    private Main() {}

    /** @param args the folder of the sources */
    public static void main(String[] args) throws IOException {
        Path project = Path.of(args[0]);
        Attributes built = manifest();
        ReleaseArchive archive = ReleaseArchive.gather(
                Objects.requireNonNull(built.getValue(Attributes.Name.IMPLEMENTATION_VERSION)),
                project,
                project.resolve("release/target"));
        Path written = archive.writeTo(
                project.resolve("target"), Instant.parse(Objects.requireNonNull(built.getValue("Release-Time"))));
        System.out.println(written);
    }

    private static Attributes manifest() throws IOException {
        URL self = Objects.requireNonNull(Main.class.getResource("Main.class"));
        if (!(self.openConnection() instanceof JarURLConnection jar)) {
            throw new IllegalStateException("This runs from its jar only.");
        }
        return jar.getMainAttributes();
    }
}
