package dev.parley.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FlagsTest {
    private static Flags flags(String... arguments) {
        return Flags.parse(List.of(arguments), Set.of("count", "list", "file", "switch"));
    }

    @Test
    void whatIsNotGivenHasItsDefault() {
        assertThat(flags().number("count", 7, 1, 9)).isEqualTo(7);
        assertThat(flags().numbers("list", List.of(1, 2), 1, 9)).containsExactly(1, 2);
        assertThat(flags().on("switch", true)).isTrue();
        assertThat(flags().path("file", Path.of("a"))).isEqualTo(Path.of("a").toAbsolutePath());
        assertThat(flags().given("count")).isFalse();
    }

    @Test
    void whatIsGivenIsRead() {
        Flags flags = flags("--count", "1_000", "--list", "64,256", "--switch", "off", "--file", "b");
        assertThat(flags.number("count", 7, 1, 9_999)).isEqualTo(1_000);
        assertThat(flags.numbers("list", List.of(), 1, 999)).containsExactly(64, 256);
        assertThat(flags.on("switch", true)).isFalse();
        assertThat(flags.path("file", Path.of("a")).getFileName()).hasToString("b");
        assertThat(flags.given("count")).isTrue();
    }

    @Test
    void secondsMayBeNamedAsSuch() {
        assertThat(flags("--count", "4s").seconds("count", 1, 1, 9)).isEqualTo(Duration.ofSeconds(4));
        assertThat(flags("--count", "4").seconds("count", 1, 1, 9)).isEqualTo(Duration.ofSeconds(4));
        assertThat(flags().seconds("count", 1, 1, 9)).isEqualTo(Duration.ofSeconds(1));
        assertThatThrownBy(() -> flags("--count", "4m").seconds("count", 1, 1, 9))
                .isInstanceOf(UsageException.class);
    }

    @Test
    void aWrongValueIsNamedWithItsBounds() {
        assertThatThrownBy(() -> flags("--count", "10").number("count", 7, 1, 9))
                .isInstanceOf(UsageException.class)
                .hasMessageContainingAll("--count", "10", "from 1 to 9");
        assertThatThrownBy(() -> flags("--list", "1,").numbers("list", List.of(), 1, 9))
                .isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> flags("--switch", "maybe").on("switch", true)).isInstanceOf(UsageException.class);
    }
}
