package dev.parley.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.protocol.ThreadId;
import dev.parley.testkit.history.Violation.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HistoryCheckerTest {
    private static final ThreadId THREAD = new ThreadId(new UUID(1, 1));
    private static final String ANN = "user:ann";

    private final HistoryChecker checker = new HistoryChecker();
    private final WriterNotes writer = checker.writer("w1", ANN);
    private final ReaderNotes reader = checker.reader("r1", THREAD);
    private final List<LogEntry> log = new ArrayList<>();

    /** A small clean history: three messages acknowledged and in the log. */
    @BeforeEach
    void cleanHistory() {
        for (int seq = 1; seq <= 3; seq++) {
            acknowledge(seq, false);
            log.add(entry(seq));
        }
    }

    @Test
    void aCleanHistoryPasses() {
        acknowledge(2, true);
        writer.refused(THREAD, "k2", "other body", "key-reused");
        reader.resumed(0);
        saw(1, 2);
        reader.resumed(2);
        saw(3);
        reader.resumedLive();
        saw(2, 3);
        reader.followedToTheEnd();
        reader.page(1, List.of(new Seen(2, "m2", "text 2"), new Seen(3, "m3", "text 3")));
        Verdict verdict = check();
        verdict.requireClean();
        assertThat(verdict.operations()).isEqualTo(5);
        assertThat(verdict.acknowledged()).isEqualTo(4);
        assertThat(verdict.refused()).isOne();
        assertThat(verdict.seen()).isEqualTo(7);
        assertThat(verdict.summary()).startsWith("5 operations, 4 acknowledged").contains("0 lost");
    }

    @Test
    void anUnansweredWriteMayBeThereOnceOrNotAtAll() {
        writer.unknown(THREAD, "k4", "text 4");
        writer.unknown(THREAD, "k5", "text 5");
        log.add(entry(4));
        Verdict verdict = check();
        verdict.requireClean();
        assertThat(verdict.unknownWritten()).isOne();
        assertThat(verdict.unknownAbsent()).isOne();
    }

    @Test
    void anUnansweredWriteMustNotBeThereTwice() {
        writer.unknown(THREAD, "k4", "text 4");
        log.add(entry(4));
        log.add(new LogEntry(5, "m5", ANN, "k4", "text 4", 4));
        assertOnly(Kind.DUPLICATED);
    }

    @Test
    void anUnansweredWriteMayBeAcknowledgedByItsRepeat() {
        writer.unknown(THREAD, "k4", "text 4");
        acknowledge(4, true);
        log.add(entry(4));
        check().requireClean();
    }

    @Test
    void writesOfOthersAreNotJudged() {
        log.add(new LogEntry(4, "m4", "agent:x", "theirs", "hello", 3));
        log.add(new LogEntry(5, "m5", "system:parley", null, "hello", 4));
        check().requireClean();
    }

    @Test
    void aLostMessageIsFound() {
        acknowledge(4, false);
        assertOnly(Kind.LOST);
    }

    @Test
    void aMessageAtAnotherPlaceIsFound() {
        writer.write(THREAD, "k4", "text 4", new Outcome.Acknowledged("m4", 5, 4, false));
        log.add(entry(4));
        assertOnly(Kind.REORDERED);
    }

    @Test
    void oneKeyAcknowledgedAsNewTwiceIsFound() {
        acknowledge(3, false);
        assertOnly(Kind.DUPLICATED);
    }

    @Test
    void oneKeyWrittenTwiceIsFound() {
        writer.write(THREAD, "k3", "text 3", new Outcome.Acknowledged("m4", 4, 3, false));
        log.add(new LogEntry(4, "m4", ANN, "k3", "text 3", 3));
        assertThat(kinds()).containsOnly(Kind.DUPLICATED);
    }

    @Test
    void aChangedContentIsFound() {
        log.set(1, new LogEntry(2, "m2", ANN, "k2", "forged", 1));
        assertOnly(Kind.CHANGED);
    }

    @Test
    void aSecondBodyAcknowledgedUnderOneKeyIsFound() {
        writer.write(THREAD, "k2", "other body", new Outcome.Acknowledged("m2", 2, 1, true));
        assertOnly(Kind.CHANGED);
    }

    @Test
    void aRefusedWriteInTheLogIsFound() {
        writer.refused(THREAD, "k4", "text 4", "overloaded");
        log.add(entry(4));
        assertOnly(Kind.WRITTEN_THOUGH_REFUSED);
    }

    @Test
    void aBodyNeverSentUnderItsKeyIsFound() {
        writer.unknown(THREAD, "k4", "text 4");
        log.add(new LogEntry(4, "m4", ANN, "k4", "something else", 3));
        assertOnly(Kind.CHANGED);
    }

    @Test
    void anInventedMessageIsFound() {
        log.add(entry(4));
        assertOnly(Kind.INVENTED);
    }

    @Test
    void aHoleInTheLogIsFound() {
        acknowledge(5, false);
        log.add(entry(5));
        assertOnly(Kind.GAP);
    }

    @Test
    void aSeqTakenTwiceIsFound() {
        writer.write(THREAD, "k4", "text 4", new Outcome.Acknowledged("m4", 3, 2, false));
        log.add(new LogEntry(3, "m4", ANN, "k4", "text 4", 2));
        assertThat(kinds()).contains(Kind.DUPLICATED);
    }

    @Test
    void anIdTakenTwiceIsFound() {
        log.add(new LogEntry(4, "m1", "user:bob", "k1", "text 1", 3));
        assertOnly(Kind.DUPLICATED);
    }

    @Test
    void aLogOutOfOrderIsFound() {
        log.add(log.remove(1));
        assertThat(kinds()).contains(Kind.REORDERED);
    }

    @Test
    void aWriterWhoseLaterWriteStandsEarlierIsFound() {
        WriterNotes second = checker.writer("w2", ANN);
        second.write(THREAD, "k5", "text 5", new Outcome.Acknowledged("m5", 5, 4, false));
        second.write(THREAD, "k4", "text 4", new Outcome.Acknowledged("m4", 4, 3, false));
        log.add(entry(4));
        log.add(entry(5));
        assertOnly(Kind.REORDERED);
    }

    @Test
    void aWrongSubmitSeqIsFoundInAnswersAndInTheLog() {
        writer.write(THREAD, "k3", "text 3", new Outcome.Acknowledged("m3", 3, 1, true));
        assertOnly(Kind.WRONG_SUBMIT_SEQ);
        log.set(0, new LogEntry(1, "m1", ANN, "k1", "text 1", 7));
        assertThat(kinds()).containsExactlyInAnyOrder(Kind.WRONG_SUBMIT_SEQ, Kind.WRONG_SUBMIT_SEQ);
    }

    @Test
    void aReaderThatMissesOneIsFound() {
        reader.resumed(0);
        saw(1, 3);
        assertOnly(Kind.GAP);
    }

    @Test
    void aReaderThatGetsOneTwiceIsFound() {
        reader.resumed(0);
        saw(1, 1);
        assertOnly(Kind.DUPLICATED);
    }

    @Test
    void aReaderThatIsToldItsCursorAgainIsFound() {
        reader.resumed(2);
        saw(2, 3);
        assertOnly(Kind.DUPLICATED);
    }

    @Test
    void aReaderThatResumesTooLateIsFound() {
        reader.resumed(1);
        saw(3);
        assertOnly(Kind.GAP);
    }

    @Test
    void aReaderThatGoesBackIsFound() {
        reader.resumed(0);
        saw(1, 2, 1);
        assertOnly(Kind.REORDERED);
    }

    @Test
    void aLiveReaderMayBeginAnywhereButThenGoesOnByOne() {
        reader.resumedLive();
        saw(1, 3);
        assertOnly(Kind.GAP);
    }

    @Test
    void aReaderThatStopsShortOfTheEndIsFound() {
        reader.resumed(0);
        saw(1, 2);
        reader.followedToTheEnd();
        assertOnly(Kind.GAP);
    }

    @Test
    void aSeenButMissingEntryIsFound() {
        reader.resumed(3);
        saw(4);
        assertOnly(Kind.LOST);
    }

    @Test
    void anEntrySeenDifferentlyThanStoredIsFound() {
        reader.page(0, List.of(new Seen(1, "m1", "text 1"), new Seen(2, "m3", "text 2"), new Seen(3, "m3", "other")));
        assertThat(kinds()).containsExactly(Kind.CHANGED, Kind.CHANGED);
    }

    @Test
    void theFailureNamesWhatIsWrong() {
        acknowledge(4, false);
        assertThatThrownBy(() -> check().requireClean())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("1 lost")
                .hasMessageContaining("LOST: key k4 of user:ann");
    }

    @Test
    void aThreadWithoutItsLogCannotBeJudged() {
        assertThatThrownBy(() -> checker.check(Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("missing");
    }

    private void acknowledge(long seq, boolean duplicate) {
        writer.write(THREAD, "k" + seq, "text " + seq, new Outcome.Acknowledged("m" + seq, seq, seq - 1, duplicate));
    }

    private static LogEntry entry(long seq) {
        return new LogEntry(seq, "m" + seq, ANN, "k" + seq, "text " + seq, seq - 1);
    }

    private void saw(long... seqs) {
        for (long seq : seqs) {
            reader.saw(new Seen(seq, null, "text " + seq));
        }
    }

    private Verdict check() {
        return checker.check(Map.of(THREAD, log));
    }

    private List<Kind> kinds() {
        return check().violations().stream().map(Violation::kind).toList();
    }

    private void assertOnly(Kind kind) {
        assertThat(check().violations()).extracting(Violation::kind).containsExactly(kind);
    }
}
