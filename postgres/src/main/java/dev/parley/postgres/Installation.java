package dev.parley.postgres;

import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The programs, the folder and the identity that a PostgreSQL program needs to be started on a data folder. */
record Installation(Binaries binaries, DataFolder folder, Identity identity) {

    /**
     * Starts a program and appends its output to the log. The program gets a bare environment, so that no PG* variable
     * of the operator has an effect and the messages are in English.
     */
    Process start(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.path().toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.log().file().toFile()));
        String path = builder.environment().getOrDefault("PATH", "/usr/bin:/bin");
        builder.environment().clear();
        builder.environment().putAll(Map.of("PATH", path, "LC_ALL", "C"));
        return builder.start();
    }
}
