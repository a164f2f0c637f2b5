package dev.parley.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.protocol.chat.NewThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The archive commands as an operator types them, on data folders with the embedded PostgreSQL. */
class ArchiveCommandsTest {
    private Path here;
    private Path there;
    private Path archive;

    @BeforeEach
    void folders() throws IOException {
        here = Scratch.data();
        there = Scratch.data();
        archive = Scratch.folder("archive").resolve("export");
    }

    @AfterEach
    void delete() {
        Scratch.delete(here);
        Scratch.delete(there);
    }

    /** Exports beside the running server and imports into a new folder, where the same local user finds its threads. */
    @Test
    void aServerMovesToAnotherDataFolder() throws Exception {
        ThreadId thread;
        try (ServerProcess server = ServerProcess.start(here)) {
            thread = server.client()
                    .threads()
                    .create(NewThread.titled("A thread"))
                    .threadId();
            server.client().thread(thread).post(NewMessage.text("Hello 中文 🙂"));
            assertThat(run("verify", "--data", here.toString(), "--blobs").out())
                    .anyMatch(line -> line.startsWith("1 of 1 messages verified (100 %)"))
                    .anyMatch(line -> line.contains("threads are as they were written"));
            CommandRun exported = run("export", "--to", archive.toString(), "--data", here.toString());
            assertThat(exported.out()).anyMatch(line -> line.startsWith("Exported 1 messages of 1 threads"));
            CommandRun busy = CommandRun.of("import", "--from", archive.toString(), "--data", here.toString());
            assertThat(busy.status()).isEqualTo(1);
            assertThat(busy.err()).singleElement().asString().contains("is in use by another Parley");
            server.signal("TERM");
            server.awaitExit();
        }
        CommandRun imported = run("import", "--from", archive.toString(), "--data", there.toString());
        assertThat(imported.out()).anyMatch(line -> line.startsWith("Imported 1 messages of 1 threads"));
        try (ServerProcess server = ServerProcess.start(there)) {
            assertThat(server.client().thread(thread).latestMessages(10).messages())
                    .singleElement()
                    .satisfies(message -> assertThat(message.content()).isEqualTo("Hello 中文 🙂"));
        }
        // A stopped PostgreSQL is started for the time of the command.
        assertThat(run("verify", "--data", there.toString(), "--thread", thread.toString())
                        .out())
                .contains("1 threads are as they were written.");
    }

    @Test
    void wrongArgumentsAreNamed() throws Exception {
        refused("The flag --to is missing", "export");
        refused("The flag --from is missing", "import");
        refused("There is no flag --form", "import", "--form", "x");
        refused("The flag --to needs a value", "export", "--to");
        refused("but a thread's id is expected", "verify", "--thread", "x");
        refused(
                "No server was ever started on the data folder",
                "export",
                "--to",
                archive.toString(),
                "--data",
                there.toString());
        assertThat(Files.exists(archive)).isFalse();
    }

    private static CommandRun run(String... arguments) throws Exception {
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.status()).as(run.toString()).isZero();
        return run;
    }

    private static void refused(String words, String... arguments) throws Exception {
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.status()).as(run.toString()).isEqualTo(2);
        assertThat(run.err()).singleElement().asString().startsWith("parley: ").contains(words);
    }
}
