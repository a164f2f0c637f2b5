package dev.parley.bench.rig;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The memory of a JVM.
 *
 * @param pssKb the resident memory, in which shared pages count by their share; -1 if the system does not report it
 * @param heapKb the memory of the objects in the heap, garbage included; -1 if the JVM does not report it
 */
public record MemoryUse(long pssKb, long heapKb) {
    private static final Pattern PSS = Pattern.compile("(?m)^Pss:\\s+(\\d+) kB");
    private static final Pattern HEAP = Pattern.compile("heap\\s+total.*?used (\\d+)K");
    private static final long LIMIT_SECONDS = 60;

    public static MemoryUse of(long pid) throws IOException, InterruptedException {
        // The query of the heap comes first. It costs memory itself, and every reading then includes that memory.
        Matcher heap = HEAP.matcher(jcmd(pid, "GC.heap_info"));
        long used = heap.find() ? Long.parseLong(heap.group(1)) : -1;
        Path rollup = Path.of("/proc", Long.toString(pid), "smaps_rollup");
        Matcher pss = PSS.matcher(Files.isReadable(rollup) ? Files.readString(rollup) : "");
        return new MemoryUse(pss.find() ? Long.parseLong(pss.group(1)) : -1, used);
    }

    /** The memory after two collections, because some garbage is found only after its referrers were collected. */
    public static MemoryUse afterCollection(long pid) throws IOException, InterruptedException {
        jcmd(pid, "GC.run");
        jcmd(pid, "GC.run");
        return of(pid);
    }

    public MemoryUse plus(MemoryUse other) {
        return new MemoryUse(pssKb + other.pssKb, heapKb + other.heapKb);
    }

    private static String jcmd(long pid, String command) throws IOException, InterruptedException {
        Path program = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process process = new ProcessBuilder(List.of(program.toString(), Long.toString(pid), command))
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            return process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) ? output : "";
        } finally {
            process.destroyForcibly();
        }
    }
}
