package dev.parley.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log that was changed outside of the server fails the check. */
class ChainCheckTest extends LaneFixture {
    private static final int MESSAGES = 5;

    /** The statement by which erasure empties an entry. */
    private static final String ERASED =
            ", content = '', metadata = null, mentions = null, engagement = null, salt = null, erased_at = now()";

    private ThreadId thread;
    private ThreadId other;

    @BeforeEach
    void talk() {
        thread = newThread();
        other = newThread();
        try (Lane lane = lane(this::plain)) {
            for (int i = 0; i < MESSAGES; i++) {
                append(lane, Command.append(thread, rich("Message " + i + " 中文 العربية 🙂")));
                append(lane, Command.append(other, draft("And " + i, null)));
            }
        }
    }

    /** A message with every member that a digest covers. */
    private static Draft rich(String text) {
        EntryContent content = new EntryContent(
                UuidV7.next().toString(),
                EntryKind.MESSAGE,
                null,
                AUTHOR,
                Role.USER,
                text,
                "{\"n\": 1e400, \"m\":0.10}",
                List.of(AUTHOR),
                null,
                "a key",
                0L,
                0L);
        return Draft.of(content, null, Digest.ZERO);
    }

    private void execute(String... statements) {
        database.transact(handle -> {
            for (String sql : statements) {
                handle.execute(sql);
            }
            return 0;
        });
    }

    private String where(long seq) {
        return " where thread_id = '" + thread + "' and seq = " + seq;
    }

    /** The faults found in the thread; the other thread never has any. */
    private List<String> findings() {
        return findings(2L * MESSAGES);
    }

    private List<String> findings(long entries) {
        List<String> findings = new ArrayList<>();
        AtomicLong checked = new AtomicLong();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("set transaction isolation level repeatable read, read only");
            new ChainCheck(
                            connection,
                            (found, what) -> {
                                assertThat(found).isEqualTo(thread);
                                findings.add(what);
                            },
                            checked::addAndGet)
                    .check(thread, other);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
        assertThat(checked.get()).isBetween(entries - 2, entries);
        return findings;
    }

    @Test
    void appendedEntriesAreRight() {
        assertThat(findings()).isEmpty();
    }

    @Test
    void changedContentIsFound() {
        execute("update entries set content = content || '.'" + where(3));
        assertThat(findings()).containsExactly("the entry with seq 3 does not fit its digest: it was changed");
    }

    @Test
    void anotherSpellingOfTheSameMetadataIsFound() {
        execute("update entries set metadata = '{\"n\": 1e400, \"m\":0.1}'" + where(1));
        assertThat(findings()).containsExactly("the entry with seq 1 does not fit its digest: it was changed");
    }

    @Test
    void anotherAuthorIsFound() {
        execute("update entries set author = 'user:another'" + where(2));
        assertThat(findings()).hasSize(1).first().asString().contains("seq 2 does not fit its digest");
    }

    /** The digest was recomputed to fit, but not the chain. */
    @Test
    void anotherDigestIsFound() {
        execute("update entries set digest = sha256('x')" + ERASED + where(4));
        assertThat(findings()).containsExactly("the digests of its entries do not lead to the hash of its head");
    }

    @Test
    void anotherOrderIsFound() {
        execute(
                "update entries set seq = 99" + where(2),
                "update entries set seq = 2" + where(3),
                "update entries set seq = 3" + where(99));
        assertThat(findings())
                .contains(
                        "the entry with seq 2 does not fit its digest: it was changed",
                        "2 entries do not fit their digests",
                        "the digests of its entries do not lead to the hash of its head")
                .anyMatch(finding -> finding.contains("stands at position 2, not after position 3"));
    }

    @Test
    void aMissingEntryIsFound() {
        execute("delete from entries" + where(3));
        assertThat(findings()).containsExactly("the entry with seq 3 is missing");
    }

    @Test
    void missingLastEntriesAreFound() {
        execute("delete from entries" + where(MESSAGES), "delete from entries" + where(MESSAGES - 1));
        assertThat(findings()).containsExactly("the entries with seq 4 to 5 are missing");
    }

    @Test
    void aChangedHeadIsFound() {
        execute("update thread_heads set head_hash = sha256('x') where thread_id = '" + thread + "'");
        assertThat(findings()).containsExactly("the digests of its entries do not lead to the hash of its head");
    }

    @Test
    void aHeadThatForgotAnEntryIsFound() {
        execute("update thread_heads set last_seq = 4, last_position = 4 where thread_id = '" + thread + "'");
        assertThat(findings())
                .containsExactly(
                        "there are entries up to seq 5, but the head says 4",
                        "there are entries up to position 5, but the head says 4");
    }

    @Test
    void timeThatRunsBackwardsIsFound() {
        execute("update entries set created_at = created_at - interval '1 day'" + ERASED + where(3));
        assertThat(findings()).containsExactly("the entry with seq 3 is older than the one before it");
    }

    /** An erased entry has lost its content and its salt; its digest keeps the chain together. */
    @Test
    void anErasedEntryIsRight() {
        execute("update entries set seq = seq" + ERASED + where(3));
        assertThat(findings()).isEmpty();
    }

    /** Without a salt nothing can be recomputed, so a forger who removes it could write any content. */
    @Test
    void anotherContentWithoutASaltIsFound() {
        execute("update entries set content = 'forged', salt = null" + where(3));
        assertThat(findings()).containsExactly("the entry with seq 3 is neither whole nor erased: it was changed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "content = 'forged'",
                "metadata = '{}'",
                "mentions = '[\"user:x\"]'",
                "salt = decode(repeat('00', 32), 'hex')"
            })
    void wordsInAnErasedEntryAreFound(String forged) {
        execute(
                "update entries set seq = seq" + ERASED + where(2),
                "update entries set seq = seq" + ERASED + where(3),
                "update entries set " + forged + where(2),
                "update entries set " + forged + where(3));
        assertThat(findings())
                .containsExactly(
                        "the entry with seq 2 is neither whole nor erased: it was changed",
                        "2 entries are neither whole nor erased");
    }

    /** The entries of a deleted thread go piece by piece, and its head stays. */
    @Test
    void aDeletedThreadIsLeftAlone() {
        execute(
                "update threads set deleted_at = now() where thread_id = '" + thread + "'",
                "delete from entries" + where(1));
        assertThat(findings(MESSAGES)).isEmpty();
    }
}
