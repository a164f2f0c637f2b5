package dev.parley.postgres;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs a command that ends soon and writes little (less than a pipe holds). */
final class ShortCommand {
    private static final int COULD_NOT_RUN = 127;

    record Result(int exitCode, String output) {
        boolean succeeded() {
            return exitCode == 0;
        }
    }

    private ShortCommand() {}

    static Result run(List<String> command, Duration limit) {
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(new File("/dev/null"))
                    .start();
        } catch (IOException e) {
            return new Result(COULD_NOT_RUN, String.valueOf(e.getMessage()));
        }
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return new Result(COULD_NOT_RUN, "no answer within " + limit.toSeconds() + " s");
            }
            return new Result(
                    process.exitValue(), new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            return new Result(COULD_NOT_RUN, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Result(COULD_NOT_RUN, "interrupted");
        } finally {
            process.destroyForcibly();
        }
    }

    /** The program of this name in the folders of the search path. */
    static Optional<Path> find(String program) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin");
        // Administration tools such as runuser live in sbin folders that an ordinary PATH leaves out.
        for (String folder : (path + ":/usr/bin:/bin:/usr/sbin:/sbin").split(":")) {
            Path candidate = Path.of(folder).resolve(program);
            if (candidate.isAbsolute() && Files.isExecutable(candidate) && !Files.isDirectory(candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }
}
