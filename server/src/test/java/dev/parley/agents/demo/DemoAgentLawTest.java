package dev.parley.agents.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.agents.Turn;
import dev.parley.protocol.agui.Content;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.RunEvent;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The agent answers random texts with legal runs. Each text follows from its seed. */
class DemoAgentLawTest {
    @Test
    void everyTextIsAnsweredByALegalRun() {
        Set<String> types = new HashSet<>();
        for (int seed = 0; seed < 4_000; seed++) {
            String text = RandomTexts.command(new Random(seed * 0x9E37_79B9_7F4A_7C15L));
            PlayedTurn played = PlayedTurn.withTools(text, "paint", "天气");
            types.addAll(played.types());
            assertThat(played.events()).as("seed %d: %s", seed, text).isNotEmpty();
            if (played.ending() instanceof RunEvent.Failed failed) {
                assertThat(failed.code()).as("seed %d: %s", seed, text).isEqualTo("demo_failure");
            }
            assertThat(PlayedTurn.withTools(text, "paint", "天气").events())
                    .as("seed %d", seed)
                    .isEqualTo(played.events());
        }
        assertThat(types)
                .contains("TOOL_CALL_RESULT", "REASONING_END", "STATE_DELTA", "SUBAGENT_FINISHED", "RUN_FINISHED");
    }

    @Test
    void everyResultIsQuotedAsItIs() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed * 0x9E37_79B9_7F4A_7C15L);
            String content = RandomTexts.of(random);
            Message.Tool result = new Message.Tool("m", new Content.Text(content), "c", null, null, null, null);
            Turn turn =
                    PlayedTurn.turnOf(RandomTexts.command(random), List.of(), List.of(), List.of(result), List.of());
            assertThat(PlayedTurn.turn(turn).answer()).as("seed %d", seed).isEqualTo("The tool c answered: " + content);
        }
    }
}
