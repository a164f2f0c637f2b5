package dev.parley.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.ThreadId;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Changes to a thread after it was read are not undone by an import. */
class ChangesDuringExportTest {
    private final ArchiveFixture here = new ArchiveFixture();
    private final ArchiveFixture there = new ArchiveFixture();

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    private void exportTheRestAndImport() {
        assertThat(here.export()).as(here.output()).isTrue();
        assertThat(there.importFrom(here.archive())).as(there.output()).isTrue();
    }

    @Test
    void deletedThreadStaysDeleted() throws IOException {
        List<ThreadId> threads = here.appendMessages(2, 2);
        here.execute("update threads set title = 'Secret', reuse_key = thread_id::text::bytea");
        assertThat(here.export()).isTrue();
        here.dropLastPiece();
        here.execute("update threads set deleted_at = now(), title = null, reuse_key = null where thread_id = '"
                + threads.getFirst() + "'");
        exportTheRestAndImport();
        assertThat(there.select("select string_agg(thread_id::text, ',') from threads"
                        + " where deleted_at is not null and title is null and reuse_key is null"))
                .isEqualTo(threads.getFirst().toString());
        assertThat(there.select("select title from threads where deleted_at is null"))
                .isEqualTo("Secret");
    }

    /** One delivery was sent and one waits; the destination was marked as idle in between. */
    @Test
    void deliveryThatMayHaveBeenSentIsAskedForFirst() throws IOException {
        ThreadId thread = here.appendMessages(1, 2).getFirst();
        here.execute("""
                insert into destinations (destination_id, source, workspace, channel, external_thread, thread_id,
                    created_at, next_at)
                values (gen_random_uuid(), 'slack', 'w', 'c', '', '%s', now(), now())""".formatted(thread));
        for (int seq = 1; seq <= 2; seq++) {
            here.execute("""
                    insert into deliveries (delivery_id, destination_id, thread_id, seq, message_id, part, parts,
                        content, marker, state, created_at)
                    select gen_random_uuid(), destination_id, thread_id, %1$d, 'm', 1, 1, 'x', 'marker-%1$d', 'waiting',
                        now()
                    from destinations""".formatted(seq));
        }
        assertThat(here.export()).isTrue();
        here.dropLastPiece();
        here.execute(
                "update deliveries set state = 'sent', ended_at = now() where seq = 1",
                "update destinations set next_at = null");
        exportTheRestAndImport();
        assertThat(there.select("select string_agg(state || ' ' || (begun_at is not null), ',' order by seq)"
                        + " from deliveries"))
                .isEqualTo("sending true,waiting false");
        assertThat(there.select("select next_at is not null from destinations")).isEqualTo("t");
    }

    @Test
    void platformIsReadAgainFromTheStartOfTheExport() throws IOException {
        here.appendMessages(1, 1);
        here.execute("insert into backfills values ('bluebubbles', 'old', now() - interval '1 day')");
        assertThat(here.export()).isTrue();
        here.dropLastPiece();
        here.execute("insert into backfills values ('bluebubbles', 'new', now() + interval '1 minute')");
        exportTheRestAndImport();
        String old = "select read_until from backfills where account = 'old'";
        assertThat(there.select(old)).isEqualTo(here.select(old));
        String started = new ArchiveFolder(here.archive()).manifest().startedAt();
        assertThat(there.select(
                        "select read_until = '" + started + "'::timestamptz from backfills where account = 'new'"))
                .isEqualTo("t");
    }
}
