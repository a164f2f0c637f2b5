package dev.parley.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class MainTest {
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(output, true, UTF_8);

    @Test
    void helpNamesEveryCommandAndItsFlags() {
        assertThat(Main.run(List.of("bench", "--help"), out)).isZero();
        assertThat(output.toString(UTF_8))
                .contains(
                        "append",
                        "--writers",
                        "nodes",
                        "--bus",
                        "runs",
                        "--step",
                        "stream",
                        "turn",
                        "--at-once",
                        "viewers",
                        "log",
                        "--histories",
                        "runs",
                        "--kill-every");
    }

    @Test
    void unknownCommandIsRefused() {
        assertThat(Main.run(List.of("bench", "nothing"), out)).isEqualTo(2);
        assertThat(Main.run(List.of(), out)).isEqualTo(2);
    }

    @Test
    void unknownFlagIsRefused() {
        assertThat(Main.run(List.of("bench", "append", "--second", "3"), out)).isEqualTo(2);
        assertThat(Main.run(List.of("prove", "log", "--cycles"), out)).isEqualTo(2);
    }
}
