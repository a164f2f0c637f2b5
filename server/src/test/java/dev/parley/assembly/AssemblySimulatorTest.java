package dev.parley.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.parley.log.Role;
import dev.parley.threads.RevisedMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Thousands of invented threads: whatever their history, every provider accepts the context. */
class AssemblySimulatorTest {
    /** The number of threads that a build has time for; the property raises it. */
    private static final long HISTORIES = Long.getLong("parley.histories", 4_000);

    private static final Assembly ASSEMBLY = Talk.assembly();
    private static final Assembly.Prompt PROMPT = new Assembly.Prompt("Be brief.", List.of());

    @Test
    void historiesAreAcceptedByEveryProviderAndDeterministic() {
        SimulatedTalks.forEach(0, HISTORIES, seed -> {
            Talk talk = SimulatedTalks.of(seed);
            ContextInputs inputs = talk.material();
            Map<ModelShape, List<ContextMessage>> contexts = new HashMap<>();
            for (ProviderRules rules : ProviderRules.values()) {
                ModelShape shape = rules.shape(SimulatedTalks.tokens(seed), (int) (seed % 4));
                List<ContextMessage> context =
                        contexts.computeIfAbsent(shape, each -> ASSEMBLY.context(inputs, PROMPT, each));
                List<String> broken = rules.brokenBy(context);
                if (!broken.isEmpty()) {
                    fail("seed %d breaks the rules of %s: %s%n%s", seed, rules, broken, shown(context));
                }
            }
            contexts.forEach((shape, context) -> {
                if (!context.equals(ASSEMBLY.context(shuffled(talk, seed), PROMPT, shape))) {
                    fail("seed %d gives something else the second time, for %s", seed, shape);
                }
            });
            if (!inputs.equals(SimulatedTalks.of(seed).material())) {
                fail("seed %d changed its material", seed);
            }
        });
    }

    @Test
    void questionsAreAlwaysShownWhole() {
        SimulatedTalks.forEach(0, HISTORIES / 20, seed -> {
            Talk talk = SimulatedTalks.of(seed);
            String shown = shown(ASSEMBLY.context(talk.material(), PROMPT, ModelShape.openAi(60, 0)));
            for (RevisedMessage message : talk.messages) {
                boolean asked = talk.triggers.contains(message.original().seq())
                        && message.original().content().role() == Role.USER;
                if (asked
                        && !shown.contains(message.content().strip())
                        && !shown.contains(
                                Quoted.withoutHeaders(message.content()).strip())) {
                    fail("seed %d does not show %s", seed, message);
                }
            }
        });
    }

    @Test
    void ownToolResultsAreAlwaysShown() {
        SimulatedTalks.forEach(0, HISTORIES / 20, seed -> {
            Talk talk = SimulatedTalks.of(seed);
            long returned = ASSEMBLY.context(talk.material(), PROMPT, ModelShape.openAi(100_000, 0)).stream()
                    .filter(AssemblySimulatorTest::isOwnResult)
                    .count();
            List<ContextMessage> small = ASSEMBLY.context(talk.material(), PROMPT, ModelShape.openAi(60, 0));
            if (small.stream().filter(AssemblySimulatorTest::isOwnResult).count() != returned) {
                fail("seed %d loses results where there is little room:%n%s", seed, shown(small));
            }
        });
    }

    private static boolean isOwnResult(ContextMessage message) {
        return message instanceof ContextMessage.ToolResult
                && message.origin().seqs().isEmpty()
                && !message.origin().transforms().contains(Transform.CLOSED);
    }

    @Test
    void namesCannotEndTheirHeader() {
        SimulatedTalks.forEach(0, HISTORIES / 20, seed -> {
            for (ContextMessage message :
                    ASSEMBLY.context(SimulatedTalks.of(seed).material(), PROMPT, ModelShape.openAi(100_000, 9))) {
                if (message instanceof ContextMessage.User user
                        && user.origin().transforms().contains(Transform.HEADER)) {
                    String text = ((ContextMessage.Part.Text) user.parts().getFirst()).text();
                    String name = text.substring(1, text.indexOf("]: "));
                    assertThat(name.replaceFirst(" \\(<@!?[A-Z0-9]+>\\)$", ""))
                            .as("seed %d", seed)
                            .isNotBlank()
                            .doesNotContainPattern("[\\[\\]():\\p{Cntrl}\u200B\u202A-\u202E\uFF1A]");
                }
            }
        });
    }

    /** Equal inputs, read in another order. */
    private static ContextInputs shuffled(Talk talk, long seed) {
        List<RevisedMessage> messages = new ArrayList<>(talk.messages);
        Collections.shuffle(messages, new Random(seed));
        return new ContextInputs(
                Talk.THREAD,
                Talk.AGENT,
                Talk.read(messages),
                talk.triggers,
                talk.otherTriggers,
                talk.names,
                talk.recalled,
                talk.givenMessages,
                talk.given,
                talk.soFar);
    }

    private static String shown(List<ContextMessage> context) {
        return context.stream().map(Talk::line).collect(Collectors.joining("\n"));
    }
}
