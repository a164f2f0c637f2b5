package dev.parley.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TableTest {
    @Test
    void columnsAreAsWideAsTheirWidestCell() {
        Table table = new Table("what", "n");
        table.add("a", "1,000");
        assertThat(table).hasToString("what      n\n-----------\na     1,000\n");
    }

    @Test
    void aRowOfAnotherLengthIsRefused() {
        assertThatThrownBy(() -> new Table("what", "n").add("a")).isInstanceOf(IllegalArgumentException.class);
    }
}
