package dev.parley.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Problem;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProblemsPageTest {
    private static final int COLUMNS = 5;

    private static final List<List<String>> ROWS = Page.of("docs/use/problems.md").rows().stream()
            .filter(row -> row.size() == COLUMNS && !row.getFirst().equals("slug"))
            .toList();

    @Test
    void everyProblemIsOnThePageAndNoOther() {
        assertThat(ROWS.stream().map(row -> row.subList(0, 3)))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Problem.values())
                        .map(problem -> List.of(problem.slug(), Integer.toString(problem.status()), problem.code()))
                        .toList());
    }

    @Test
    void everyProblemSaysWhenItHappensAndWhatToDo() {
        assertThat(ROWS).isNotEmpty().allSatisfy(row -> assertThat(row).noneMatch(String::isBlank));
    }
}
