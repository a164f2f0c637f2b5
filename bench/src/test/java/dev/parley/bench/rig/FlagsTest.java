package dev.parley.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FlagsTest {
    private static final String HELP = """
                --count 7            a number
                --list 1,2           some numbers
                --file FILE          a file (a)
                --switch on          a switch
                --none N             a number without a default
            """;

    private static Flags flags(String... arguments) {
        return Flags.parse(List.of(arguments), HELP);
    }

    @Test
    void missingFlagHasTheDefaultOfTheHelp() {
        assertThat(flags().number("count", 1, 9)).isEqualTo(7);
        assertThat(flags().numbers("list", 1, 9)).containsExactly(1, 2);
        assertThat(flags().on("switch")).isTrue();
        assertThat(flags().path("file")).isEqualTo(Path.of("a").toAbsolutePath());
        assertThat(flags().text("none")).isEmpty();
        assertThat(flags().number("count", 3, 1, 9)).isEqualTo(3);
        assertThat(flags().given("count")).isFalse();
    }

    @Test
    void givenFlagsAreRead() {
        Flags flags = flags("--count", "1_000", "--list", "64,256", "--switch", "off", "--file", "b");
        assertThat(flags.number("count", 1, 9_999)).isEqualTo(1_000);
        assertThat(flags.number("count", 3, 1, 9_999)).isEqualTo(1_000);
        assertThat(flags.numbers("list", 1, 999)).containsExactly(64, 256);
        assertThat(flags.on("switch")).isFalse();
        assertThat(flags.path("file").getFileName()).hasToString("b");
        assertThat(flags.given("count")).isTrue();
        assertThat(flags).hasToString("--count 1_000 --list 64,256 --switch off --file b");
    }

    @Test
    void secondsMayBeNamedAsSuch() {
        assertThat(flags("--count", "4s").seconds("count", 1, 9)).isEqualTo(Duration.ofSeconds(4));
        assertThat(flags("--count", "4").seconds("count", 1, 9)).isEqualTo(Duration.ofSeconds(4));
        assertThat(flags().seconds("count", 1, 9)).isEqualTo(Duration.ofSeconds(7));
        assertThatThrownBy(() -> flags("--count", "4m").seconds("count", 1, 9)).isInstanceOf(UsageException.class);
    }

    @Test
    void aWrongValueIsNamedWithItsBounds() {
        assertThatThrownBy(() -> flags("--count", "10").number("count", 1, 9))
                .isInstanceOf(UsageException.class)
                .hasMessageContainingAll("--count", "10", "from 1 to 9");
        assertThatThrownBy(() -> flags("--list", "1,").numbers("list", 1, 9)).isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> flags("--switch", "maybe").on("switch")).isInstanceOf(UsageException.class);
    }

    @Test
    void unknownFlagIsNamedWithTheKnownOnes() {
        assertThatThrownBy(() -> flags("--counts", "10"))
                .isInstanceOf(UsageException.class)
                .hasMessageContainingAll("--counts", "--count, --file, --list, --none, --switch");
    }
}
