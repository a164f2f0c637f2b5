package dev.parley.agents.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.agents.RunName;
import dev.parley.agents.Turn;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.AguiJson;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.StepEvent;
import dev.parley.protocol.agui.Tool;
import dev.parley.runs.guard.RunGuard;
import dev.parley.runs.guard.Transcript;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.node.ObjectNode;

/**
 * One turn of the demo agent, checked: the guard of runs accepts every event unchanged, and every event survives a JSON
 * round trip.
 *
 * @param events the events as the agent emitted them
 * @param pauses the waits that the agent asked for
 */
record PlayedTurn(List<AguiEvent> events, Transcript transcript, List<Duration> pauses) {
    private static final UUID ID = UuidV7.at(1, 2, 3);

    static PlayedTurn text(String text) {
        return turn(turnOf(text, List.of(), List.of(), List.of(), List.of()));
    }

    static PlayedTurn withTools(String text, String... names) {
        List<Tool> tools = List.of(names).stream()
                .map(name -> new Tool(name, "does " + name, null, null))
                .toList();
        return turn(turnOf(text, tools, List.of(), List.of(), List.of()));
    }

    static Turn turnOf(
            String text,
            List<Tool> tools,
            List<Message> context,
            List<Message.Tool> results,
            List<Turn.Answer> answers) {
        RunAgentInput input =
                new RunAgentInput("t", "r", "1.0", null, null, context, tools, List.of(), null, List.of());
        return new Turn(
                new ThreadId(ID),
                new RunName("r", ID),
                Actor.agent(ID),
                new Turn.Question(text, List.of(), List.of(), List.of()),
                new Turn.Input(input, List.of(), results, answers),
                new Turn.ThreadAccess(() -> context, Json.MAPPER::createObjectNode, id -> false),
                NoModels.REQUESTS);
    }

    static PlayedTurn turn(Turn turn) {
        AtomicInteger ids = new AtomicInteger();
        AtomicInteger members = new AtomicInteger();
        List<Duration> pauses = new ArrayList<>();
        DemoAgent agent = new DemoAgent(
                () -> "id" + ids.incrementAndGet(), () -> UuidV7.at(1, 2, members.incrementAndGet()), pauses::add);
        List<AguiEvent> events = new ArrayList<>();
        try {
            agent.answer(turn, events::add);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return new PlayedTurn(events, guarded(turn.question().text(), events), pauses);
    }

    private static Transcript guarded(String text, List<AguiEvent> events) {
        RunGuard guard = new RunGuard("t", "r");
        guard.accept(new RunEvent.Started("t", "r"));
        for (AguiEvent event : events) {
            assertThat(guard.isOver()).as("%s: over before %s", text, event).isFalse();
            List<AguiEvent> entered = guard.accept(event);
            assertThat(entered.getLast()).as(text).isEqualTo(event);
            // Only a failing run may leave spans open.
            if (!(event instanceof RunEvent.Failed)) {
                assertThat(entered).as(text).hasSize(1);
            }
            assertThat(AguiJson.readEvent(AguiJson.write(event))).as(text).isEqualTo(event);
        }
        if (!guard.isOver()) {
            assertThat(guard.accept(new RunEvent.Finished("t", "r"))).as(text).hasSize(1);
        }
        return guard.transcript();
    }

    <T extends AguiEvent> List<T> all(Class<T> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    List<String> types() {
        return events.stream().map(AguiEvent::type).distinct().toList();
    }

    List<String> steps() {
        return all(StepEvent.class).stream()
                .map(step -> step.type() + " " + step.stepName())
                .toList();
    }

    static ObjectNode metadata(Transcript.Item item) {
        return Objects.requireNonNull(item.marks().metadata());
    }

    List<Transcript.Text> texts() {
        return items(Transcript.Text.class);
    }

    <T extends Transcript.Item> List<T> items(Class<T> kind) {
        return transcript.items().stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    /** The text of the only item in the transcript. */
    String answer() {
        assertThat(transcript.items()).singleElement().isInstanceOf(Transcript.Text.class);
        return texts().getFirst().text();
    }

    RunEvent ending() {
        return transcript.ending().orElseThrow();
    }
}
