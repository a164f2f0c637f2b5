package dev.parley.sessions;

import static dev.parley.sessions.AgnoEvents.json;

import dev.parley.log.Effect;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.AguiJson;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.runs.external.EventLanguage;
import dev.parley.runs.external.RunProgress;
import dev.parley.runs.guard.RunGuard;
import dev.parley.runs.guard.Transcript;
import dev.parley.runs.lifecycle.MultitaskStrategy;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunIdentity;
import dev.parley.runs.lifecycle.RunState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/**
 * A run whose events came in Agno's dialect.
 *
 * @param entered the events of AG-UI that entered the log
 * @param paused true if the last event paused the run
 */
record TranslatedRun(RunGuard guard, List<AguiEvent> entered, List<Effect> effects, boolean paused) {
    static final String RUN = "run-1";
    static final Run ROW = new Run(
            RunIdentity.of(
                            new UUID(7, 7),
                            new ThreadId(new UUID(1, 2)),
                            RUN,
                            Actor.agent(new UUID(3, 3)),
                            Actor.user(new UUID(4, 4)))
                    .askedFor(MultitaskStrategy.ENQUEUE)
                    .drivenBy(Run.Driver.EXTERNAL),
            new RunState.Running(1, 1, null, new UUID(5, 5)),
            1,
            null,
            List.of(),
            null,
            new Run.Positions(0, 1L, null),
            0,
            Run.Result.NONE,
            new Run.Times(Instant.EPOCH, null, null));

    static TranslatedRun of(Object... events) {
        return of(json(Arrays.asList(events)), false);
    }

    /** @param forgetting true to restore the state from the log before each event */
    static TranslatedRun of(List<JsonNode> events, boolean forgetting) {
        AgnoDialect dialect = new AgnoDialect();
        List<AguiEvent> entered = new ArrayList<>();
        List<Effect> effects = new ArrayList<>();
        boolean paused = false;
        RunGuard guard = new RunGuard(ROW.thread().toString(), RUN);
        entered.addAll(guard.accept(new RunEvent.Started(ROW.thread().toString(), RUN)));
        RunProgress progress = new RunProgress(ROW, guard);
        for (int i = 0; i < events.size(); i++) {
            dialect.requireReadable(events.get(i), "events[" + i + "]");
            if (forgetting) {
                guard = RunGuard.restore(
                        ROW.thread().toString(),
                        RUN,
                        entered.stream()
                                .map(each -> AguiJson.readEvent(Json.MAPPER.readTree(AguiJson.write(each)), ""))
                                .toList());
                progress = new RunProgress(ROW, guard);
            }
            if (guard.isOver()) {
                break;
            }
            EventLanguage.Words words = dialect.read(events.get(i), i, progress);
            for (AguiEvent each : words.events()) {
                entered.addAll(guard.accept(each));
            }
            effects.addAll(words.effects());
            paused = words.pauses();
        }
        return new TranslatedRun(guard, entered, effects, paused);
    }

    List<String> types() {
        return entered.stream().map(AguiEvent::type).toList();
    }

    String text() {
        StringBuilder text = new StringBuilder();
        guard.transcript().items().forEach(item -> {
            if (item instanceof Transcript.Text message) {
                text.append(message.text());
            }
        });
        return text.toString();
    }

    <T> List<T> all(Class<T> type) {
        return entered.stream().filter(type::isInstance).map(type::cast).toList();
    }

    List<String> lines() {
        return entered.stream().map(AguiJson::write).toList();
    }
}
