package dev.parley.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Compares NOTICE with the libraries of a started server, as Maven lists them before the tests. */
class NoticeTest {
    private static final Path LISTED = Path.of("target", "libraries.txt");
    private static final Pattern LIBRARY = Pattern.compile("(?m)^\\s+([\\w.-]+):([\\w.-]+):jar:");
    private static final Pattern ROW =
            Pattern.compile("(?m)^  ([a-z][\\w.-]*\\.[\\w.-]+(?::[\\w.-]+)?) +([A-Z0-9][\\w.-]*) +(https?://\\S+.*)$");

    private record Library(String group, String name) {
        boolean isNamedBy(String row) {
            return row.equals(group) || row.equals(group + ":" + name);
        }
    }

    @Test
    void everyLibraryOfTheServerIsNamed() throws IOException {
        Set<String> rows = rows();
        assertThat(libraries())
                .filteredOn(library -> rows.stream().noneMatch(library::isNamedBy))
                .as("libraries that NOTICE does not name")
                .isEmpty();
    }

    @Test
    void noticeNamesNoMissingLibrary() throws IOException {
        List<Library> libraries = libraries();
        assertThat(rows())
                .filteredOn(row -> libraries.stream().noneMatch(library -> library.isNamedBy(row)))
                .as("rows of NOTICE without a library")
                .isEmpty();
    }

    @Test
    void theBundledDatabaseHasItsLicence() throws IOException {
        assertThat(notice())
                .contains("PostgreSQL Global Development Group")
                .contains("The Regents of the University of California")
                .contains("without fee,\n    and without a written agreement is hereby granted")
                .contains("software developed by the OpenSSL Project");
    }

    private static String notice() throws IOException {
        return Files.readString(Path.of("..", "NOTICE"));
    }

    private static Set<String> rows() throws IOException {
        Set<String> rows = ROW.matcher(notice())
                .results()
                .map((MatchResult row) -> row.group(1))
                .collect(Collectors.toSet());
        assertThat(rows).hasSizeGreaterThan(20);
        return rows;
    }

    private static List<Library> libraries() throws IOException {
        assertThat(LISTED).as("what Maven lists in generate-test-resources").exists();
        List<Library> libraries = LIBRARY.matcher(Files.readString(LISTED))
                .results()
                .map(found -> new Library(found.group(1), found.group(2)))
                .filter(library -> !library.group().equals("dev.parley"))
                .toList();
        assertThat(libraries).hasSizeGreaterThan(50);
        return libraries;
    }
}
