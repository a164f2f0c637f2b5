package dev.parley.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
    @Test
    void nearestNameHasTheFewestChanges() {
        assertThat(Nearest.distance("prot", "port")).isEqualTo(1);
        assertThat(Nearest.distance("", "port")).isEqualTo(4);
        assertThat(Nearest.distance("port", "port")).isZero();
        assertThat(Nearest.distance("kitten", "sitting")).isEqualTo(3);
        assertThat(Nearest.of("lane", List.of("host", "lanes", "data"))).isEqualTo("lanes");
    }
}
