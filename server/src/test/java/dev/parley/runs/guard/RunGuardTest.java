package dev.parley.runs.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.protocol.Json;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.AguiJson;
import dev.parley.protocol.agui.Common;
import dev.parley.protocol.agui.Interrupt;
import dev.parley.protocol.agui.Outcome;
import dev.parley.protocol.agui.PassedEvent;
import dev.parley.protocol.agui.ReasoningEvent;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.StepEvent;
import dev.parley.protocol.agui.SubagentEvent;
import dev.parley.protocol.agui.SubagentOutcome;
import dev.parley.protocol.agui.TextEvent;
import dev.parley.protocol.agui.TextRole;
import dev.parley.protocol.agui.ToolEvent;
import dev.parley.protocol.agui.UnknownEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class RunGuardTest {
    private static final RunEvent.Started STARTED = new RunEvent.Started("t", "r");
    private static final RunEvent.Finished FINISHED = new RunEvent.Finished("t", "r");

    private final RunGuard guard = new RunGuard("t", "r");

    @Test
    void openSpans_areClosedBeforeTheEnd_lastOpenedFirst() {
        List<AguiEvent> opened = List.of(
                STARTED,
                new StepEvent.Started("execution"),
                new SubagentEvent.Started("s1", "A"),
                new StepEvent.Started("execution", "s1", Common.NONE),
                new ReasoningEvent.Start("q"),
                new ReasoningEvent.MessageStart("q"),
                new TextEvent.Start("m", null, null, "s1", Common.NONE),
                new ToolEvent.Start("c", "f", "m"));
        assertThat(accept(opened)).isEqualTo(opened);
        assertThat(guard.accept(FINISHED))
                .containsExactly(
                        new ToolEvent.End("c", "s1", Common.NONE),
                        new TextEvent.End("m", "s1", Common.NONE),
                        new ReasoningEvent.MessageEnd("q"),
                        new ReasoningEvent.End("q"),
                        new StepEvent.Finished("execution", "s1", Common.NONE),
                        new SubagentEvent.Finished("s1"),
                        new StepEvent.Finished("execution"),
                        FINISHED);
    }

    @Test
    void agent_cannotSendTheThreadsOwnEvents() {
        PassedEvent.Custom own = new PassedEvent.Custom("progress", Json.MAPPER.createObjectNode());
        PassedEvent.Custom forged = new PassedEvent.Custom(
                "message_committed", Json.MAPPER.createObjectNode().put("seq", 1_000_000));
        assertThat(accept(List.of(STARTED, forged, own, FINISHED))).containsExactly(STARTED, own, FINISHED);
    }

    @Test
    void subagent_endsAsItsRunDoes() {
        RunEvent.Failed failed = new RunEvent.Failed("no", "upstream");
        assertThat(endOfSubagent(failed)).isEqualTo(new SubagentEvent.Failed("s", "no", "upstream"));
        assertThat(endOfSubagent(new RunEvent.Finished("t", "r", new Outcome.Cancelled())))
                .isEqualTo(new SubagentEvent.Failed("s", "The run was cancelled.", "cancelled"));
        Outcome interrupted =
                new Outcome.Interrupted(List.of(new Interrupt("i", "x", null, null, null, null, null, null)));
        assertThat(endOfSubagent(new RunEvent.Finished("t", "r", interrupted)))
                .isEqualTo(new SubagentEvent.Finished("s", null, new SubagentOutcome.Suspended(null), Common.NONE));
    }

    private static AguiEvent endOfSubagent(RunEvent ending) {
        RunGuard guard = new RunGuard("t", "r");
        guard.accept(STARTED);
        guard.accept(new SubagentEvent.Started("s", "A"));
        return guard.accept(ending).getFirst();
    }

    @Test
    void illegalEvent_closesAllSpans_andEndsTheRun() {
        accept(List.of(STARTED, new TextEvent.Start("m"), new TextEvent.Content("m", "hi")));
        assertThat(guard.accept(new TextEvent.Content("other", "x")))
                .containsExactly(
                        new TextEvent.End("m"),
                        new RunEvent.Failed(
                                "The agent sent TEXT_MESSAGE_CONTENT for text message 'other', which is not open.",
                                RunGuard.ILLEGAL_EVENT));
        assertThat(guard.isOver()).isTrue();
        assertThat(guard.transcript().items())
                .singleElement()
                .satisfies(item -> assertThat(item.marks().state()).isEqualTo(Transcript.State.CUT));
    }

    @Test
    void echoedInput_decidesTheOwnersOfItsMessages() {
        String started = """
                {"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t","runId":"r","messages":[
                 {"id":"m","role":"assistant","subagentRunId":"s1",
                  "toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":""}}]}]}}""";
        guard.accept(AguiJson.readEvent(started));
        RunGuard other = RunGuard.restore("t", "r", List.of(AguiJson.readEvent(started)));
        assertThat(guard.accept(new TextEvent.Start("m", null, null, "s2", Common.NONE)))
                .singleElement()
                .isInstanceOf(RunEvent.Failed.class);
        assertThat(other.accept(new ToolEvent.Start("c", "f", null, "s2", Common.NONE)))
                .singleElement()
                .isInstanceOf(RunEvent.Failed.class);
    }

    @Test
    void toolMessage_belongsToTheRunnerOfTheTool() {
        accept(List.of(STARTED, new ToolEvent.Result("r1", "c", "sunny")));
        assertThat(guard.accept(new TextEvent.Start("r1", null, null, "s", Common.NONE)))
                .singleElement()
                .isInstanceOf(RunEvent.Failed.class);
    }

    @Test
    void end_isTheLastEvent() {
        accept(List.of(STARTED, FINISHED));
        assertThat(accept(List.of(new RunEvent.Failed("late", null), STARTED, new TextEvent.Start("m"))))
                .isEmpty();
        assertThat(guard.fail("late", null)).isEmpty();
        assertThat(guard.cancel()).isEmpty();
    }

    @Test
    void runThatFailsBeforeItsStart_beginsWithRunStarted() {
        assertThat(guard.fail("no model", "upstream"))
                .containsExactly(STARTED, new RunEvent.Failed("no model", "upstream"));
        assertThat(new RunGuard("t", "r").accept(new TextEvent.Start("m")))
                .containsExactly(
                        STARTED,
                        new RunEvent.Failed(
                                "The agent sent TEXT_MESSAGE_START before RUN_STARTED.", RunGuard.ILLEGAL_EVENT));
        assertThat(new RunGuard("t", "r").accept(FINISHED))
                .hasSize(2)
                .element(1)
                .isInstanceOf(RunEvent.Failed.class);
        assertThat(new RunGuard("t", "r").cancel())
                .containsExactly(STARTED, new RunEvent.Finished("t", "r", new Outcome.Cancelled()));
    }

    @Test
    void idsOfThreadAndRun_areReplacedByOurs() {
        assertThat(guard.accept(new RunEvent.Started("theirs", "other", null, "p", null, Common.NONE)))
                .containsExactly(new RunEvent.Started("t", "r", "1.0", "p", null, Common.NONE));
        assertThat(guard.accept(new RunEvent.Finished("theirs", "other"))).containsExactly(FINISHED);
    }

    @Test
    void emptyDeltas_areLeftOut_unlessTheyCarryMetadata() {
        ObjectNode metadata = Json.MAPPER.createObjectNode().put("finish", "stop");
        TextEvent.Content telling = new TextEvent.Content("m", "", null, Common.metadata(metadata));
        accept(List.of(STARTED, new TextEvent.Start("m"), new ToolEvent.Start("c", "f", null)));
        assertThat(accept(List.of(new TextEvent.Content("m", ""), new ToolEvent.Args("c", ""), telling)))
                .containsExactly(telling);
        assertThat(guard.accept(new TextEvent.Content("closed", ""))).last().isInstanceOf(RunEvent.Failed.class);
    }

    @Test
    void chunks_becomeStartContentAndEnd() {
        guard.accept(STARTED);
        assertThat(accept(List.of(
                        new TextEvent.Chunk("m", "one"),
                        new TextEvent.Chunk(null, " two"),
                        new ToolEvent.Chunk("c", "f", "m", "{}", null, Common.NONE),
                        new ReasoningEvent.MessageChunk("q", "hm"),
                        new StepEvent.Started("s"),
                        new TextEvent.Chunk("m2", "three"),
                        new StepEvent.Finished("s"),
                        new TextEvent.Chunk("m2", "!"),
                        FINISHED)))
                .containsExactly(
                        new TextEvent.Start("m"),
                        new TextEvent.Content("m", "one"),
                        new TextEvent.Content("m", " two"),
                        new TextEvent.End("m"),
                        new ToolEvent.Start("c", "f", "m"),
                        new ToolEvent.Args("c", "{}"),
                        new ToolEvent.End("c"),
                        new ReasoningEvent.MessageStart("q"),
                        new ReasoningEvent.MessageContent("q", "hm"),
                        new ReasoningEvent.MessageEnd("q"),
                        new StepEvent.Started("s"),
                        new TextEvent.Start("m2"),
                        new TextEvent.Content("m2", "three"),
                        new TextEvent.End("m2"),
                        new StepEvent.Finished("s"),
                        new TextEvent.Start("m2"),
                        new TextEvent.Content("m2", "!"),
                        new TextEvent.End("m2"),
                        FINISHED);
    }

    @Test
    void firstChunkWithoutItsId_andContradictingChunk_areIllegal() {
        for (List<AguiEvent> chunks : List.<List<AguiEvent>>of(
                List.of(new TextEvent.Chunk(null, "x")),
                List.of(new ToolEvent.Chunk("c", null, null, "{", null, Common.NONE)),
                List.of(
                        new TextEvent.Chunk("m", "x"),
                        new TextEvent.Chunk("m", TextRole.SYSTEM, "y", null, null, Common.NONE)),
                List.of(
                        new TextEvent.Chunk("m", null, "x", null, "s1", Common.NONE),
                        new TextEvent.Chunk("m", null, "y", null, "s2", Common.NONE)),
                List.of(
                        new TextEvent.Chunk("a", null, "x", null, "s1", Common.NONE),
                        new TextEvent.Chunk("b", null, "y", null, "s2", Common.NONE),
                        new TextEvent.Chunk(null, "whose?")))) {
            RunGuard each = new RunGuard("t", "r");
            each.accept(STARTED);
            chunks.forEach(each::accept);
            assertThat(each.transcript().ending())
                    .get()
                    .isInstanceOfSatisfying(
                            RunEvent.Failed.class,
                            failed -> assertThat(failed.code()).isEqualTo(RunGuard.ILLEGAL_EVENT));
        }
    }

    @Test
    void chunksAndPlainEvents_mayContinueEachOther() {
        accept(List.of(STARTED, new TextEvent.Start("m")));
        assertThat(accept(List.of(
                        new TextEvent.Chunk("m", "a"),
                        new TextEvent.Chunk(null, "b"),
                        new TextEvent.Content("m", "c"),
                        new TextEvent.End("m"),
                        new TextEvent.Chunk("n", "d"),
                        new TextEvent.Content("n", "e"),
                        new TextEvent.End("n"))))
                .containsExactly(
                        new TextEvent.Content("m", "a"),
                        new TextEvent.Content("m", "b"),
                        new TextEvent.Content("m", "c"),
                        new TextEvent.End("m"),
                        new TextEvent.Start("n"),
                        new TextEvent.Content("n", "d"),
                        new TextEvent.Content("n", "e"),
                        new TextEvent.End("n"));
    }

    @Test
    void unknownEventsAndRepeatedResults_areLeftOut() {
        ToolEvent.Result result = new ToolEvent.Result("r1", "c", "sunny");
        assertThat(accept(List.of(
                        STARTED, result, result, new UnknownEvent("META_EVENT", Json.MAPPER.createObjectNode()))))
                .containsExactly(STARTED, result);
    }

    @Test
    void repeatedInterrupt_isAskedOnce() {
        Interrupt once = new Interrupt("i", "approval", "Really?", null, null, null, null, null);
        Interrupt again = new Interrupt("i", "approval", "Sure?", null, null, null, null, null);
        guard.accept(STARTED);
        assertThat(guard.accept(new RunEvent.Finished("t", "r", new Outcome.Interrupted(List.of(once, again)))))
                .containsExactly(new RunEvent.Finished("t", "r", new Outcome.Interrupted(List.of(once))));
    }

    @Test
    void cutCharacter_isJoined_andInvalidTextIsReplaced() {
        String wave = "👋";
        accept(List.of(STARTED, new TextEvent.Start("m"), new TextEvent.Start("n")));
        assertThat(accept(List.of(
                        new TextEvent.Content("m", "hi " + wave.charAt(0)),
                        new TextEvent.Content("n", "between"),
                        new TextEvent.Content("m", wave.charAt(1) + "!"),
                        new TextEvent.Content("m", "" + wave.charAt(0)),
                        new TextEvent.End("m"),
                        new TextEvent.Content("n", "\u0000" + wave.charAt(1)))))
                .containsExactly(
                        new TextEvent.Content("m", "hi "),
                        new TextEvent.Content("n", "between"),
                        new TextEvent.Content("m", "👋!"),
                        new TextEvent.End("m"),
                        new TextEvent.Content("n", "\uFFFD\uFFFD"));
    }

    @Test
    void reason_isShort_withALongId() {
        guard.accept(STARTED);
        assertThat(guard.accept(new TextEvent.End("x".repeat(100_000))))
                .last()
                .satisfies(event -> assertThat(AguiJson.write(event)).hasSizeLessThan(700));
    }

    @Test
    void illegalLog_isNotRestored() {
        assertThatThrownBy(() -> RunGuard.restore("t", "r", List.of(STARTED, new TextEvent.End("m"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'m', which is not open");
    }

    @Test
    void transcript_assemblesThoughtsTextsCallsAndResults() {
        ObjectNode first = Json.MAPPER.createObjectNode().put("a", 1).put("b", 1);
        ObjectNode second = Json.MAPPER.createObjectNode().put("b", 2);
        accept(List.of(
                STARTED,
                new ReasoningEvent.MessageStart("q"),
                new ReasoningEvent.MessageContent("q", "hm"),
                new ReasoningEvent.MessageEnd("q"),
                new TextEvent.Start("m", TextRole.ASSISTANT, "Ada", "s", Common.metadata(first)),
                new TextEvent.Content("m", "one"),
                new ToolEvent.Start("c", "f", "m"),
                new ToolEvent.Args("c", "{}"),
                new ToolEvent.End("c"),
                new ReasoningEvent.EncryptedValue(ReasoningEvent.Subtype.TOOL_CALL, "c", "e", null, Common.NONE),
                new ToolEvent.Result("r1", "c", "sunny"),
                new TextEvent.Content("m", " two", null, Common.metadata(second))));
        Transcript.Marks complete = new Transcript.Marks(Transcript.State.COMPLETE, null, null, null);
        ObjectNode merged = Json.MAPPER.createObjectNode().put("a", 1).put("b", 2);
        assertThat(guard.transcript().items())
                .containsExactly(
                        new Transcript.Reasoning("q", "hm", complete),
                        new Transcript.Text(
                                "m",
                                TextRole.ASSISTANT,
                                "Ada",
                                "one two",
                                new Transcript.Marks(Transcript.State.OPEN, "s", merged, null)),
                        new Transcript.Call(
                                "c", "f", "{}", "m", new Transcript.Marks(Transcript.State.COMPLETE, null, null, "e")),
                        new Transcript.Result("r1", "c", new ToolEvent.Result("r1", "c", "sunny").content(), complete));
        assertThat(guard.transcript().characters()).isEqualTo(16);
        assertThat(first)
                .as("the event's own metadata")
                .isEqualTo(Json.MAPPER.createObjectNode().put("a", 1).put("b", 1));
    }

    private List<AguiEvent> accept(List<AguiEvent> events) {
        List<AguiEvent> log = new ArrayList<>();
        events.forEach(event -> log.addAll(guard.accept(event)));
        return log;
    }
}
