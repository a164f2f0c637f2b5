package dev.parley.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.TestDatabase;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pages end with their items or their bytes, and return the bytes they need if the room is too small. */
class LogPagesTest {
    private static final long ALL = Long.MAX_VALUE;
    /** The bytes that an entry counts beside its text. */
    private static final long OBJECT = 512;

    private static final long LONG = OBJECT + 300;
    private static final long MAX_BYTES = OBJECT + 1_000;
    private static final long REACTION = OBJECT + 6;

    private final ThreadId thread = ThreadId.fresh();
    private TestDatabase scratch;
    private Database database;
    private LogPages pages;
    private RevisionReader revisions;

    @BeforeEach
    void open() {
        scratch = RunningServer.freshDatabase();
        database = Database.open(RunningServer.storage(scratch.address()), 1);
        pages = new LogPages(database);
        revisions = new RevisionReader(database);
        // Ten messages of 300 bytes, two reactions of 6, one message of 1,000.
        add("1, 10", "0", "null", "repeat('好', 100)");
        add("11, 12", "3", "s - 9", "'👍' || s");
        add("13, 13", "0", "null", "repeat('x', 1000)");
    }

    @AfterEach
    void close() {
        database.close();
        scratch.close();
    }

    private void add(String seqs, String kind, String target, String content) {
        database.transact(handle -> handle.execute("""
                insert into entries
                    (thread_id, seq, position, id, kind, target_seq, author, role, content, created_at, digest)
                select '%s', s, s, s::text, %s, %s, 'user:a', 'user', %s, now(), '\\x00' from generate_series(%s) as s
                """.formatted(thread, kind, target, content, seqs)));
        database.transact(handle -> handle.execute("""
                insert into events (thread_id, position, seq, created_at)
                select '%s', s, s, now() from generate_series(%s) as s""".formatted(thread, seqs)));
    }

    private LogPages.Entries before(long seq, int items, long bytes, long room) {
        return pages.messages(thread, Direction.BACKWARDS, seq, new PageSize(items, bytes, room));
    }

    private LogPages.Entries after(long seq, int items, long bytes, long room) {
        return pages.messages(thread, Direction.FORWARDS, seq, new PageSize(items, bytes, room));
    }

    private static List<Long> seqs(LogPages.Entries page) {
        return page.entries().stream().map(Entry::seq).toList();
    }

    @Test
    void page_endsWithItsItems() {
        assertThat(seqs(after(2, 3, ALL, ALL))).containsExactly(3L, 4L, 5L);
        assertThat(after(2, 3, ALL, ALL).more()).isTrue();
        assertThat(seqs(before(5, 3, ALL, ALL))).containsExactly(2L, 3L, 4L);
        assertThat(after(2, 9, ALL, ALL).more()).as("exactly all entries").isFalse();
        assertThat(seqs(after(2, 9, ALL, ALL))).hasSize(9).endsWith(13L);
        assertThat(after(13, 9, ALL, ALL)).isEqualTo(new LogPages.Entries(List.of(), false, 0));
    }

    @Test
    void page_endsWithTheItemThatReachesItsBytes() {
        assertThat(seqs(after(0, 100, 1, ALL))).containsExactly(1L);
        assertThat(seqs(after(0, 100, LONG, ALL))).containsExactly(1L);
        assertThat(seqs(after(0, 100, LONG + 1, ALL))).containsExactly(1L, 2L);
        assertThat(after(0, 100, LONG + 1, ALL).more()).isTrue();
        assertThat(after(0, 100, LONG + 1, ALL).bytes()).isEqualTo(2 * LONG);
        assertThat(seqs(before(ALL, 100, MAX_BYTES, ALL))).containsExactly(13L);
        assertThat(seqs(before(ALL, 100, MAX_BYTES + 1, ALL))).containsExactly(10L, 13L);
        assertThat(after(0, 100, 10 * LONG + 1, ALL).more())
                .as("no further entries")
                .isFalse();
    }

    @Test
    void page_withoutRoom_returnsItsBytes() {
        assertThat(after(0, 100, 3 * LONG + 1, 3 * LONG - 1)).satisfies(page -> {
            assertThat(page.bytes()).isEqualTo(4 * LONG);
            assertThat(seqs(page)).containsExactly(1L, 2L);
            assertThat(page.more()).isTrue();
        });
        assertThat(before(ALL, 1, ALL, MAX_BYTES - 1).bytes()).isEqualTo(MAX_BYTES);
        assertThat(before(ALL, 1, ALL, MAX_BYTES - 1).entries()).isEmpty();
        assertThat(seqs(before(ALL, 1, ALL, MAX_BYTES))).containsExactly(13L);
    }

    @Test
    void entriesAndEvents_includeRevisions() {
        PageSize size = PageSize.of(3, ALL);
        assertThat(seqs(pages.entries(thread, Direction.BACKWARDS, ALL, size))).containsExactly(11L, 12L, 13L);
        assertThat(seqs(pages.entriesAt(thread, Direction.BACKWARDS, List.of(2L, 11L, 5L, 1L), size)))
                .containsExactly(2L, 5L, 11L);
        long reaction = OBJECT + REACTION;
        LogPages.Events events = pages.eventsAfter(thread, 10, new PageSize(100, ALL, reaction));
        assertThat(events.events())
                .as("a second event does not fit in the room")
                .hasSize(1);
        assertThat(events.bytes()).isEqualTo(2 * reaction + OBJECT + MAX_BYTES);
        assertThat(pages.eventsAfter(thread, 10, PageSize.of(100, 2 * reaction + 1))
                        .events())
                .hasSize(3);
        assertThat(pages.eventsAfter(thread, 10, PageSize.of(100, 2 * reaction)))
                .satisfies(page -> {
                    assertThat(page.events()).hasSize(2);
                    assertThat(page.more()).isTrue();
                });
        assertThat(pages.hasEventAfter(thread, 12)).isTrue();
        assertThat(pages.hasEventAfter(thread, 13)).isFalse();
    }

    @Test
    void revisions_beyondTheBytes_areOmitted() {
        add("14, 15", "1", "s - 10", "repeat('x', 500)");
        add("16, 16", "3", "5", "'e'");
        List<Long> all = LongStream.rangeClosed(1, 10).boxed().toList();
        long edit = OBJECT + 500;
        long upToFour = 2 * REACTION + edit;
        assertThat(revisions.revisionsOf(thread, all, Direction.FORWARDS, PageSize.of(10, upToFour)))
                .satisfies(found -> {
                    assertThat(found.bySeq()).containsOnlyKeys(2L, 3L, 4L);
                    assertThat(found.omitted()).containsExactly(5L);
                    assertThat(found.bytes()).isEqualTo(upToFour);
                });
        assertThat(revisions.revisionsOf(thread, all, Direction.BACKWARDS, PageSize.of(10, edit + OBJECT + 1)))
                .satisfies(found -> {
                    assertThat(found.bySeq()).containsOnlyKeys(5L);
                    assertThat(found.bySeq().get(5L))
                            .as("all revisions of one message")
                            .hasSize(2);
                    assertThat(found.omitted()).containsExactlyInAnyOrder(2L, 3L, 4L);
                });
        assertThat(revisions
                        .revisionsOf(thread, all, Direction.FORWARDS, new PageSize(10, upToFour, upToFour - 1))
                        .bytes())
                .isEqualTo(upToFour);
    }
}
