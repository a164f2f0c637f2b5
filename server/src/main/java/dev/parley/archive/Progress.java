package dev.parley.archive;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/**
 * Prints the progress of a long command: on a terminal as one line that changes, elsewhere as a plain line every few
 * seconds.
 */
public final class Progress {
    private static final long ON_A_TERMINAL = Duration.ofMillis(200).toNanos();
    private static final long ELSEWHERE = Duration.ofSeconds(5).toNanos();

    private final PrintStream out;
    private final boolean terminal;
    private String unit = "";
    private long begun = System.nanoTime();
    private long shown = begun;
    private long all;
    private long before;
    private long done;
    private int width;

    public Progress(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /**
     * Starts a new count.
     *
     * @param counted the unit of the count, such as {@code messages exported}
     * @param already the count of an earlier attempt, which does not affect the rate
     */
    void begin(String counted, long total, long already) {
        unit = counted;
        begun = System.nanoTime();
        shown = begun;
        all = total;
        before = already;
        done = already;
    }

    void add(long more) {
        done += more;
        long now = System.nanoTime();
        if (now - shown >= (terminal ? ON_A_TERMINAL : ELSEWHERE)) {
            shown = now;
            show(line(now));
        }
    }

    /** Ends the count, and leaves its last state on the screen. */
    void end() {
        show(line(System.nanoTime()));
        if (terminal) {
            out.println();
            width = 0;
        }
    }

    /** Prints a sentence on a line of its own, above the changing line. */
    void say(String sentence) {
        if (terminal && width > 0) {
            out.print("\r" + " ".repeat(width) + "\r");
            width = 0;
        }
        out.println(sentence);
    }

    private String line(long now) {
        double seconds = Math.max(0.001, (now - begun) / 1e9);
        double rate = (done - before) / seconds;
        long total = Math.max(all, done);
        String left = rate <= 0 || total == done
                ? ""
                : String.format(Locale.ROOT, ", about %s left", clock((long) ((total - done) / rate)));
        return String.format(
                Locale.ROOT,
                "%,d of %,d %s (%d %%), %,.0f per second%s",
                done,
                total,
                unit,
                total == 0 ? 100 : done * 100 / total,
                rate,
                left);
    }

    private static String clock(long seconds) {
        return seconds < 60 ? seconds + " s" : String.format(Locale.ROOT, "%d min %02d s", seconds / 60, seconds % 60);
    }

    private void show(String line) {
        if (terminal) {
            out.print("\r" + line + " ".repeat(Math.max(0, width - line.length())));
            out.flush();
            width = line.length();
        } else {
            out.println(line);
        }
    }
}
