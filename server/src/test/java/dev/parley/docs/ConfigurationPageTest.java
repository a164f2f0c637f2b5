package dev.parley.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.app.config.Config;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ConfigurationPageTest {
    private static final int COLUMNS = 5;
    private static final Pattern EFFECTIVE = Pattern.compile("(\\S+) +(.*) \\(default\\)");

    private static final List<List<String>> ROWS = Page.of("docs/operate/configuration.md").rows().stream()
            .filter(row -> row.size() == COLUMNS && !row.getFirst().equals("flag"))
            .toList();

    @Test
    void everySettingIsOnThePageWithItsNamesAndItsDefaultAndNoOther() {
        List<List<String>> expected = Config.load(List.of(), Map.of()).describe().stream()
                .map(ConfigurationPageTest::row)
                .toList();

        assertThat(ROWS.stream().map(row -> row.subList(0, COLUMNS - 1))).containsExactlyElementsOf(expected);
    }

    @Test
    void thePageAndTheHelpListTheSameFlags() {
        assertThat(ROWS.stream().map(List::getFirst))
                .containsExactlyElementsOf(Config.help().stream()
                        .map(line -> line.strip().split(" ", 2)[0])
                        .toList());
    }

    @Test
    void everySettingHasAMeaning() {
        assertThat(ROWS)
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.getLast()).isNotBlank());
    }

    private static List<String> row(String effective) {
        Matcher line = EFFECTIVE.matcher(effective);
        assertThat(line.matches()).as(effective).isTrue();
        String name = line.group(1);
        return List.of(
                "--" + name,
                "PARLEY_" + name.replace('-', '_').toUpperCase(Locale.ROOT),
                name.equals("config") ? "–" : name,
                line.group(2).equals("not set") ? "–" : line.group(2));
    }
}
