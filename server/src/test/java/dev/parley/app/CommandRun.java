package dev.parley.app;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A command of the program that has run in its own process, with its status and its output. */
record CommandRun(int status, List<String> out, List<String> err) {
    private static final long LIMIT_SECONDS = 60;

    /** JVM flags that suppress warnings of the JVM and shorten its start. */
    static final List<String> JVM = List.of(
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");

    static CommandRun of(String... arguments) throws IOException, InterruptedException {
        Path folder = Scratch.folder("command");
        File out = folder.resolve("out").toFile();
        File err = folder.resolve("err").toFile();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectOutput(out)
                .redirectError(err)
                .start();
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("Still running: " + String.join(" ", arguments));
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new CommandRun(process.exitValue(), Files.readAllLines(out.toPath()), Files.readAllLines(err.toPath()));
    }
}
