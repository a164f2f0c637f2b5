package dev.parley.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The files of deploy/, and the programs of this machine that check them. */
final class Deployed {
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    static final Path FOLDER = ROOT.resolve("deploy");

    private static final long LIMIT_SECONDS = 60;

    private Deployed() {}

    static String text(String path) {
        try {
            return Files.readString(FOLDER.resolve(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Map<String, Object> yaml(String path) {
        return map(new Yaml(new SafeConstructor(new LoaderOptions())).load(text(path)));
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(@Nullable Object value) {
        assertThat(value).isInstanceOf(Map.class);
        return (Map<String, Object>) Objects.requireNonNull(value);
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(@Nullable Object value) {
        assertThat(value).isInstanceOf(List.class);
        return (List<Object>) Objects.requireNonNull(value);
    }

    static String word(Map<String, Object> from, String name) {
        assertThat(from.get(name)).as(name).isInstanceOf(String.class);
        return (String) Objects.requireNonNull(from.get(name));
    }

    /** A program on the PATH, or in the folders of administrators. */
    static Optional<Path> program(String name) {
        String path = System.getenv().getOrDefault("PATH", "") + File.pathSeparator + "/usr/sbin";
        return Arrays.stream(path.split(File.pathSeparator))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The output of a program, and its exit status. */
    record Outcome(int exit, String text) {}

    static Outcome run(Path in, String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(in, "said", ".txt");
        Process process = new ProcessBuilder(command)
                .directory(in.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            return new Outcome(process.exitValue(), Files.readString(output));
        } finally {
            process.destroyForcibly();
        }
    }
}
