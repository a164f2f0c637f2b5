package dev.parley.bench.rig;

import dev.parley.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Medians, the forms in which tables show figures, and the files that keep them. */
public final class Figures {
    private Figures() {}

    public static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        if (sorted.isEmpty()) {
            return Double.NaN;
        }
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    public static double sum(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).sum();
    }

    public static double max(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }

    public static String whole(double value) {
        return format("%,.0f", value);
    }

    public static String tenths(double value) {
        return format("%,.1f", value);
    }

    public static String hundredths(double value) {
        return format("%,.2f", value);
    }

    public static String format(String pattern, double value) {
        return String.format(Locale.ROOT, pattern, value);
    }

    /** The last column of a table of ratios: the bound, and whether it was missed. */
    public static String bound(double ratio, double most) {
        return "at most " + (most == Math.rint(most) ? whole(most) : Double.toString(most)) + missed(ratio <= most);
    }

    /** The mark of a missed bound; empty if the bound is kept. */
    public static String missed(boolean kept) {
        return kept ? "" : ", missed";
    }

    /** Writes a value as JSON, and makes the folder if it is missing. */
    public static void save(Object value, Path file) throws IOException {
        Path parent = file.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        Files.write(file, Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(value));
    }

    /** Writes a report as JSON, together with the figures drawn from it, if there are any. */
    static void save(Object report, Map<String, ?> drawn, Path file) throws IOException {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("report", report);
        all.putAll(drawn);
        save(drawn.isEmpty() ? report : all, file);
    }
}
