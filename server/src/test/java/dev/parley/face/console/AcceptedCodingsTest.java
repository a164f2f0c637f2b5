package dev.parley.face.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Fuzz;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class AcceptedCodingsTest {
    @Test
    void codingsAreNamedOrRefused() {
        assertThat(AcceptedCodings.of(Optional.of("GZIP , br;q=0.5, deflate ; q = 0.000, zstd;q=0"))
                        .names())
                .containsExactlyInAnyOrder("gzip", "br");
        assertThat(AcceptedCodings.of(Optional.empty()).names()).isEmpty();
    }

    @Test
    void aLongHeaderIsReadLikeByARegularExpression() {
        Fuzz.each(
                List.of("gzip, br", "gzip;q=0.5,br ; q=0.0, *;q=0", "a;b;q=0"),
                List.of(" ", "\t", ",", ";", "q", "=", "0", ".", "0.0", "gzip", "Q=0"),
                text -> {
                    String ascii = text.replaceAll("[^\\t -~]", "");
                    Set<String> found = AcceptedCodings.of(Optional.of(ascii)).names();
                    // An empty name has no meaning, wherever it occurs.
                    assertThat(found.stream().filter(name -> !name.isEmpty()).toList())
                            .containsExactlyInAnyOrderElementsOf(byExpressions(ascii));
                });
    }

    private static Set<String> byExpressions(String header) {
        return Arrays.stream(header.split(","))
                .map(each -> each.strip().toLowerCase(Locale.ROOT).split("\\s*;\\s*", 2))
                .filter(parts -> parts.length == 1 || !parts[1].matches("q\\s*=\\s*0(\\.0*)?"))
                .map(parts -> parts[0])
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toSet());
    }
}
