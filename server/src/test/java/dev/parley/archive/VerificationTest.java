package dev.parley.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.attachments.BlobId;
import dev.parley.attachments.FolderBlobs;
import dev.parley.protocol.ThreadId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each disagreement with the log is found, and printed in a line of its own. */
class VerificationTest {
    private final ArchiveFixture here = new ArchiveFixture();
    private ThreadId thread;

    @BeforeEach
    void appendMessages() {
        thread = here.appendMessages(1, 4).getFirst();
        here.appendMessages(2, 1);
    }

    @AfterEach
    void close() {
        here.close();
    }

    private void found(String finding) {
        assertThat(here.verify()).as(here.output()).isFalse();
        assertThat(here.output()).contains("thread " + thread + ": " + finding).contains("1 findings in 3 threads");
    }

    private String at(long seq) {
        return " where thread_id = '" + thread + "' and seq = " + seq;
    }

    @Test
    void intactLogHasNoFindings() {
        assertThat(here.verify()).as(here.output()).isTrue();
        assertThat(here.output())
                .contains("6 of 6 messages verified (100 %)")
                .contains("3 threads are as they were written");
    }

    @Test
    void changedContentIsFound() {
        here.execute("update entries set content = 'something else'" + at(2));
        found("the entry with seq 2 does not fit its digest");
    }

    @Test
    void keyWithoutAnEntryIsFound() {
        here.execute("insert into entry_keys values ('" + thread + "', gen_random_uuid(), 99)");
        found("1 keys refer to missing entries, the first to seq 99");
    }

    @Test
    void entryWithoutAKeyIsFound() {
        here.execute("delete from entry_keys" + at(3));
        found("1 entries have lost their key, the first has seq 3");
    }

    @Test
    void entryWithoutAnEventIsFound() {
        here.execute("delete from events" + at(3));
        found("1 entries have no event of their own, the first has seq 3");
    }

    @Test
    void runWithContradictingStateIsFound() {
        here.execute(run("running", "now()", "null"));
        found("the run r is running, but has ended");
    }

    @Test
    void runWithoutItsEndEventIsFound() {
        here.execute(
                run("completed", "now()", "6"),
                "insert into events (thread_id, position, seq, type, actor, payload, created_at, run) select thread_id, 6, 4,"
                        + " 'run', 'agent:x', '{\"type\":\"RUN_STARTED\"}', now(), task_id from runs");
        found("the run r is completed, but its events do not end with its end");
    }

    @Test
    void runWithExpiredEventsIsValid() {
        here.execute(run("completed", "now()", "6"), "insert into expired_events values ('" + thread + "', 6)");
        assertThat(here.verify()).as(here.output()).isTrue();
    }

    private String run(String state, String ended, String last) {
        return """
                insert into runs (task_id, thread_id, run_id, agent, started_by, driver, origin, strategy, state, epoch,
                    attempts, triggers, created_position, created_at, ended_at, last_position)
                values (gen_random_uuid(), '%s', 'r', 'agent:x', 'user:x', 'node', 'client', 'enqueue', '%s', 1, 1, '{}', 5,
                    now(), %s, %s)""".formatted(thread, state, ended, last);
    }

    @Test
    void singleThreadIsVerified() {
        here.execute("update entries set content = 'x' where thread_id <> '" + thread + "'");
        assertThat(new Verification(here.address(), here.progress()).run(thread))
                .isTrue();
        assertThatThrownBy(() -> new Verification(here.address(), here.progress()).run(ThreadId.fresh()))
                .isInstanceOf(ArchiveRefused.class)
                .hasMessageContaining("There is no thread");
    }

    @Test
    void missingAndDamagedBlobsAreFound() throws IOException {
        BlobId good = here.keep("good", new byte[] {1});
        BlobId gone = here.keep("gone", new byte[] {2});
        BlobId changed = here.keep("changed", new byte[] {3});
        try (FolderBlobs store = here.store()) {
            Verification verification = new Verification(here.address(), here.progress());
            assertThat(verification.runOnBlobs(store)).as(here.output()).isTrue();
            store.remove(gone);
            Files.write(file(changed), new byte[] {4});
            assertThat(verification.runOnBlobs(store)).isFalse();
        }
        assertThat(here.output())
                .contains("its blob " + gone.hex() + " is missing")
                .contains("its blob " + changed.hex() + " is damaged")
                .contains("3 blobs verified, 2 of them missing or damaged")
                .doesNotContain(good.hex());
    }

    private Path file(BlobId id) throws IOException {
        try (Stream<Path> files = Files.walk(here.data.resolve("blobs"))) {
            return files.filter(file -> file.endsWith(id.hex())).findFirst().orElseThrow();
        }
    }
}
