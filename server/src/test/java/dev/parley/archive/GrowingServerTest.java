package dev.parley.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.attachments.FolderBlobs;
import dev.parley.basics.Sha256;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** An archive is complete, however much is appended while it is written, and however long conversations are. */
class GrowingServerTest {
    private final ArchiveFixture here = new ArchiveFixture();
    private final ArchiveFixture there = new ArchiveFixture();

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    @Test
    void longConversationIsSplitIntoFilesOfBoundedSize() throws IOException {
        here.appendMessages(1, 300);
        here.appendMessages(3, 2);
        assertThat(new Export(
                                here.archive(),
                                here.address(),
                                () -> FolderBlobs.beside(here.data),
                                ArchiveFixture.files(here.data),
                                "test",
                                here.progress(),
                                20_000)
                        .run())
                .isTrue();
        List<ArchivedFile> files =
                ArchivePieces.read(new ArchiveFolder(here.archive())).files();
        assertThat(files)
                .hasSizeGreaterThan(5)
                .allSatisfy(file -> assertThat(file.bytes()).isLessThan(25_000));
        assertThat(there.importFrom(here.archive())).as(there.output()).isTrue();
        assertThat(there.digests()).isEqualTo(here.digests());
    }

    /** The export was killed before its last piece, and continues after the server took more messages. */
    @Test
    void messagesBetweenTwoHalvesOfAnExportAreExported() throws IOException {
        List<ThreadId> first = here.appendMessages(3, 2);
        assertThat(here.export()).isTrue();
        here.dropLastPiece();
        ThreadId among = new ThreadId(new UUID(1, 1));
        here.make(among);
        here.appendMessages(2, 4);
        here.execute("insert into thread_aliases values ('user:x', 'a name', '" + among + "')");
        assertThat(here.export()).as(here.output()).isTrue();
        assertThat(there.importFrom(here.archive())).as(there.output()).isTrue();
        assertThat(there.digests()).isEqualTo(here.digests());
        assertThat(there.select("select count(*) from threads")).isEqualTo(String.valueOf(first.size() + 3));
    }

    /** The thread with the key was deleted during the export, and another one was made with it. */
    @Test
    void reusedKeyStaysWithItsLastThread() throws IOException {
        ThreadId old = here.appendMessages(1, 1).getFirst();
        here.execute("update threads set reuse_key = 'k' where thread_id = '" + old + "'");
        assertThat(here.export()).isTrue();
        here.dropLastPiece();
        here.execute("update threads set reuse_key = null");
        ThreadId next = here.appendMessages(1, 1).getFirst();
        here.execute("update threads set reuse_key = 'k' where thread_id = '" + next + "'");
        assertThat(here.export()).isTrue();
        assertThat(there.importFrom(here.archive())).as(there.output()).isTrue();
        assertThat(there.select("select thread_id from threads where reuse_key = 'k'"))
                .isEqualTo(next.toString());
    }

    /** The event arrived after its thread was read, so the platform may submit it again. */
    @Test
    void inboundEventWithoutItsMessageIsForgotten() throws IOException {
        ThreadId thread = here.appendMessages(1, 2).getFirst();
        assertThat(here.export()).isTrue();
        here.dropLastPiece();
        for (int seq = 2; seq <= 3; seq++) {
            here.execute("""
                    insert into inbound_events (event_id, source, workspace, place, channel, external_message_id, sender,
                        bot, thread_id, seq, message_id, run, reason, received_at)
                    values (gen_random_uuid(), 'slack', 'w', 'channel', 'c', '%1$d', 's', false, '%2$s', %1$d, 'm',
                        false, 'r', now())""".formatted(seq, thread));
        }
        assertThat(here.export()).isTrue();
        assertThat(there.importFrom(here.archive())).as(there.output()).isTrue();
        assertThat(there.select("select string_agg(seq::text, ',') from inbound_events"))
                .isEqualTo("2");
    }

    /** A thread that was read before the erasure ended still contains the erased messages. */
    @Test
    void erasureThatEndedDuringTheExportIsRepeated() throws IOException {
        ThreadId thread = here.appendMessages(1, 2).getFirst();
        here.execute(erasure(1, thread, "now() - interval '1 day'"));
        assertThat(here.export()).isTrue();
        here.dropLastPiece();
        here.execute(erasure(2, thread, "now()"));
        here.execute(erasure(3, thread, "null"));
        // The erasure of retention; every server has it after its first run.
        here.execute("""
                insert into erasures (erasure_id, requested_by, requested_at, finished_at)
                values ('00000000-0000-0000-0000-000000000000', 'system:parley', now(), now()) on conflict do nothing""");
        here.execute("""
                insert into erasure_threads (erasure_id, thread_id, whole, entries_to, runs_to, events_to, done_at)
                select erasure_id, '%s', true, 2, 2, 2, finished_at from erasures""".formatted(thread));
        assertThat(here.export()).isTrue();
        assertThat(there.importFrom(here.archive())).as(there.output()).isTrue();
        assertThat(there.select(
                        "select string_agg(reason, ',' order by reason) from erasures where finished_at is null"))
                .isEqualTo("2,3");
        assertThat(there.select("""
                select string_agg(coalesce(e.reason, 'retention'), ',' order by e.reason)
                from erasure_threads w join erasures e using (erasure_id) where w.entries_to = 0 and w.done_at is null""")).isEqualTo("2,3,retention");
    }

    private static String erasure(int number, ThreadId thread, String finished) {
        return """
                insert into erasures (erasure_id, subject_thread, reason, requested_by, requested_at, finished_at)
                values (gen_random_uuid(), '%s', '%d', 'user:x', now() - interval '2 days', %s)""".formatted(thread, number, finished);
    }

    @Test
    void archiveOfAnOlderSchemaGetsTheDefaultsOfNewColumns() throws IOException {
        here.appendMessages(1, 2);
        assertThat(here.export()).isTrue();
        asIfBefore("threads", "is_archived");
        assertThat(there.importFrom(here.archive())).as(there.output()).isTrue();
        assertThat(there.digests()).isEqualTo(here.digests());
    }

    /** Rewrites the archive as a server without this column would have written it. */
    private void asIfBefore(String table, String column) throws IOException {
        ArchiveFolder folder = new ArchiveFolder(here.archive());
        List<Piece> pieces = new ArrayList<>();
        for (Piece piece : ArchivePieces.read(folder).all()) {
            List<ArchivedFile> files = new ArrayList<>();
            for (ArchivedFile file : piece.files()) {
                files.add(without(folder, file, table, column));
            }
            pieces.add(new Piece(piece.number(), piece.last(), piece.threads(), files, piece.meanwhile()));
        }
        StringBuilder lines = new StringBuilder();
        pieces.forEach(
                piece -> lines.append(Json.MAPPER.writeValueAsString(piece)).append('\n'));
        Files.writeString(folder.piecesFile(), lines);
        Manifest now = folder.manifest();
        Map<String, List<String>> columns = new LinkedHashMap<>(now.columns());
        columns.put(
                table,
                columns.getOrDefault(table, List.of()).stream()
                        .filter(each -> !each.equals(column))
                        .toList());
        folder.write(new Manifest(
                now.format(),
                now.exportId(),
                now.parley(),
                now.schema() - 1,
                now.database(),
                now.startedAt(),
                columns,
                "then",
                now.rows(),
                now.blobs(),
                now.blobBytes(),
                List.of(),
                List.of(),
                Map.of(),
                ArchivePieces.read(folder).sha256()));
    }

    private static ArchivedFile without(ArchiveFolder folder, ArchivedFile file, String table, String column)
            throws IOException {
        Path path = folder.file(file);
        StringBuilder text = new StringBuilder();
        int place = -1;
        for (String line : Files.readAllLines(path)) {
            JsonNode node = Json.MAPPER.readTree(line);
            if (node.isObject()) {
                boolean here = node.path("table").asString().equals(table);
                place = -1;
                for (int i = 0; here && i < node.path("columns").size(); i++) {
                    place = node.path("columns").get(i).asString().equals(column) ? i : place;
                }
                if (place >= 0) {
                    ((ArrayNode) node.path("columns")).remove(place);
                }
            } else if (place >= 0) {
                ((ArrayNode) node).remove(place);
            }
            text.append(node).append('\n');
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        Files.write(path, bytes);
        return new ArchivedFile(file.name(), bytes.length, HexFormat.of().formatHex(Sha256.of(bytes)), file.rows());
    }
}
