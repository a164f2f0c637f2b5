package dev.parley.bench.rig;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The machine of a measurement.
 *
 * @param load the system's load average when the run began, which shows other work
 */
public record Machine(String system, String processor, int cores, String java, double load) {
    private static final Path CPUINFO = Path.of("/proc/cpuinfo");

    public static Machine here() {
        return new Machine(
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                modelName(),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("java.vm.vendor") + " " + Runtime.version(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    private static String modelName() {
        if (Files.isReadable(CPUINFO)) {
            try (Stream<String> lines = Files.lines(CPUINFO)) {
                return lines.filter(line -> line.startsWith("model name"))
                        .map(line -> line.substring(line.indexOf(':') + 1).strip())
                        .findFirst()
                        .orElse(System.getProperty("os.arch"));
            } catch (IOException unreadable) {
                return System.getProperty("os.arch");
            }
        }
        return System.getProperty("os.arch");
    }

    @Override
    public String toString() {
        return "%s, %d cores (%s), Java %s, load average %.1f at the start"
                .formatted(system, cores, processor, java, load);
    }
}
