package dev.parley.runs.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.ReasoningEvent;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.TextEvent;
import dev.parley.protocol.agui.ToolEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The log holds only sequences that clients accept, whatever an agent sends. Each stream follows from its seed. */
class RunGuardLawTest {
    private static final int STREAMS = 4_000;

    @Test
    void oracle_distinguishesLegalFromIllegal() {
        List<List<JsonNode>> legal = Streams.legal();
        assertThat(legal.subList(0, 6))
                .allSatisfy(stream -> assertThat(ClientVerdict.on(stream)).isEmpty());
        long refused = 0;
        for (int seed = 0; seed < STREAMS; seed++) {
            refused += ClientVerdict.on(Streams.mutated(seed)).isPresent() ? 1 : 0;
        }
        assertThat(refused).isBetween(STREAMS / 2L, STREAMS - 200L);
    }

    @Test
    void legalStreamsWithoutChunks_enterUnchanged() {
        for (List<JsonNode> stream : Streams.legal().subList(0, 5)) {
            assertThat(Streams.sent(Streams.guarded(new RunGuard("t", "r"), stream)))
                    .isEqualTo(stream);
        }
    }

    @Test
    void log_neverHoldsAnIllegalSequence() {
        for (int seed = 0; seed < STREAMS; seed++) {
            List<JsonNode> stream = Streams.mutated(seed);
            List<AguiEvent> log = Streams.guarded(new RunGuard("t", "r"), stream);
            assertThat(ClientVerdict.on(Streams.sent(log)))
                    .as("seed %d: %s became %s", seed, stream, log)
                    .isEmpty();
            assertThat(log.getFirst()).as("seed %d", seed).isInstanceOf(RunEvent.Started.class);
            assertThat(log.stream().filter(RunGuardLawTest::isTerminal))
                    .as("seed %d", seed)
                    .containsExactly(log.getLast());
            // Open spans are closed on failure too: clients do not require it, but readers of the log do.
            assertThat(ClientVerdict.on(Streams.sent(finishedInstead(log))))
                    .as("seed %d: %s", seed, log)
                    .isEmpty();
        }
    }

    @Test
    void streamsThatClientsAccept_areNeverRefused() {
        int accepted = 0;
        for (int seed = 0; seed < STREAMS; seed++) {
            List<JsonNode> stream = Streams.mutated(seed);
            if (ClientVerdict.on(stream).isEmpty()) {
                RunGuard guard = new RunGuard("t", "r");
                Streams.guarded(guard, stream);
                assertThat(guard.transcript().ending().orElseThrow())
                        .as("seed %d: %s", seed, stream)
                        .satisfies(ending -> assertThat(ending instanceof RunEvent.Failed failed
                                        && RunGuard.ILLEGAL_EVENT.equals(failed.code()))
                                .isFalse());
                accepted++;
            }
        }
        assertThat(accepted).isGreaterThan(200);
    }

    @Test
    void restoredGuard_continuesAsTheFormerOne() {
        for (int seed = 0; seed < STREAMS; seed++) {
            List<JsonNode> stream = Streams.mutated(seed);
            RunGuard whole = new RunGuard("t", "r");
            List<AguiEvent> log = Streams.guarded(whole, stream);
            int cut = new Random(~seed).nextInt(stream.size() + 1);
            List<AguiEvent> resumed = new ArrayList<>();
            RunGuard first = new RunGuard("t", "r");
            stream.subList(0, cut).forEach(json -> resumed.addAll(Streams.accept(first, json)));
            RunGuard second = RunGuard.restore("t", "r", resumed);
            resumed.addAll(Streams.guarded(second, stream.subList(cut, stream.size())));
            if (stream.stream().noneMatch(RunGuardLawTest::isChunk)) {
                assertThat(resumed)
                        .as("seed %d cut at %d: %s", seed, cut, stream)
                        .isEqualTo(log);
            }
            assertThat(ClientVerdict.on(Streams.sent(resumed)))
                    .as("seed %d cut at %d: %s", seed, cut, stream)
                    .isEmpty();
        }
    }

    @Test
    void legalChunks_giveTheSameTranscript_afterARestartAtAnyPosition() {
        for (List<JsonNode> stream : Streams.legal()) {
            RunGuard whole = new RunGuard("t", "r");
            Streams.guarded(whole, stream);
            for (int cut = 0; cut < stream.size(); cut++) {
                List<AguiEvent> log = new ArrayList<>();
                RunGuard first = new RunGuard("t", "r");
                stream.subList(0, cut).forEach(json -> log.addAll(Streams.accept(first, json)));
                RunGuard second = RunGuard.restore("t", "r", log);
                Streams.guarded(second, stream.subList(cut, stream.size()));
                assertThat(second.transcript().ending())
                        .as("%d", cut)
                        .isEqualTo(whole.transcript().ending());
                assertThat(second.transcript().items())
                        .as("cut at %d: %s", cut, stream)
                        .isEqualTo(whole.transcript().items());
            }
        }
    }

    @Test
    void transcript_holdsTheTextOfTheLog() {
        for (int seed = 0; seed < STREAMS; seed++) {
            RunGuard guard = new RunGuard("t", "r");
            TreeMap<String, String> texts = new TreeMap<>();
            for (AguiEvent event : Streams.guarded(guard, Streams.mutated(seed))) {
                switch (event) {
                    case TextEvent.Start start -> texts.merge("text " + start.messageId(), "", String::concat);
                    case TextEvent.Content content ->
                        texts.merge("text " + content.messageId(), content.delta(), String::concat);
                    case ToolEvent.Start start -> texts.merge("call " + start.toolCallId(), "", String::concat);
                    case ToolEvent.Args args -> texts.merge("call " + args.toolCallId(), args.delta(), String::concat);
                    case ToolEvent.Result result ->
                        texts.put(
                                "result " + result.messageId(), result.content().plainText());
                    case ReasoningEvent.MessageStart start ->
                        texts.merge("thought " + start.messageId(), "", String::concat);
                    case ReasoningEvent.MessageContent content ->
                        texts.merge("thought " + content.messageId(), content.delta(), String::concat);
                    default -> {}
                }
            }
            TreeMap<String, String> said = new TreeMap<>();
            for (Transcript.Item item : guard.transcript().items()) {
                assertThat(item.marks().state()).isNotEqualTo(Transcript.State.OPEN);
                switch (item) {
                    case Transcript.Text text -> said.put("text " + text.id(), text.text());
                    case Transcript.Call call -> said.put("call " + call.id(), call.arguments());
                    case Transcript.Result result ->
                        said.put("result " + result.id(), result.content().plainText());
                    case Transcript.Reasoning thought -> said.put("thought " + thought.id(), thought.text());
                }
            }
            assertThat(said).as("seed %d", seed).isEqualTo(texts);
        }
    }

    private static List<AguiEvent> finishedInstead(List<AguiEvent> log) {
        List<AguiEvent> changed = new ArrayList<>(log);
        changed.set(log.size() - 1, new RunEvent.Finished("t", "r"));
        return changed;
    }

    private static boolean isTerminal(AguiEvent event) {
        return event instanceof RunEvent.Finished || event instanceof RunEvent.Failed;
    }

    private static boolean isChunk(JsonNode json) {
        return json.path("type").asString("").endsWith("_CHUNK");
    }
}
