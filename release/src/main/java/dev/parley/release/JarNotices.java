package dev.parley.release;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Extracts the licences and notices from a library's jar, so that they can be read without unpacking the jar. */
final class JarNotices {
    private static final Pattern NOTICE = Pattern.compile(
            "(?i)(META-INF/(licen[sc]es?/)?.*(licen[sc]e|notice|copying)[^/]*|web/console/licences-.*\\.txt)");
    private static final Pattern CODE = Pattern.compile("(?i).*\\.(class|java|properties|html|gz)");

    private JarNotices() {}

    /**
     * The notices by file name. The path within the jar becomes a part of the file name, because two paths may end with
     * the same name.
     */
    static Map<String, byte[]> of(Path jar) throws IOException {
        Map<String, byte[]> found = new TreeMap<>();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : zip.stream().map(ZipEntry.class::cast).toList()) {
                String name = entry.getName();
                if (!entry.isDirectory()
                        && NOTICE.matcher(name).matches()
                        && !CODE.matcher(name).matches()) {
                    found.put(fileName(name), zip.getInputStream(entry).readAllBytes());
                }
            }
        }
        return found;
    }

    private static String fileName(String entry) {
        return entry.replaceFirst("^META-INF/(licen[sc]es/)?", "")
                .replaceFirst("^web/console/", "")
                .replace("META-INF/", "")
                .replace('/', '-');
    }
}
