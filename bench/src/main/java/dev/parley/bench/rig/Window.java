package dev.parley.bench.rig;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** A measured span of time, with its length, the growth of counts, and the CPU time used. */
public final class Window {
    private final Supplier<CpuUse> cpuSoFar;
    private final List<Count> counts = new ArrayList<>();
    private long nanos;
    private CpuUse cpu = CpuUse.NONE;

    /** A count that only grows. */
    public static final class Count {
        private final LongSupplier soFar;
        private long first;
        private long last;

        private Count(LongSupplier soFar) {
            this.soFar = soFar;
        }

        /** The count at the beginning. */
        public long first() {
            return first;
        }

        /** The count at the end. */
        public long last() {
            return last;
        }

        /** The growth between beginning and end. */
        public long grown() {
            return last - first;
        }
    }

    public Window(Supplier<CpuUse> cpuSoFar) {
        this.cpuSoFar = cpuSoFar;
    }

    /** The time that a load runs before a window: a third of the window, up to a maximum. */
    public static Duration leadIn(Duration window, Duration longest) {
        Duration third = window.dividedBy(3);
        return third.compareTo(longest) < 0 ? third : longest;
    }

    /** Adds a count. Call this before {@link #begin}. */
    public Count count(LongSupplier soFar) {
        Count count = new Count(soFar);
        counts.add(count);
        return count;
    }

    public Window begin() {
        nanos = System.nanoTime();
        counts.forEach(count -> count.first = count.soFar.getAsLong());
        cpu = cpuSoFar.get();
        return this;
    }

    public void end() {
        nanos = System.nanoTime() - nanos;
        counts.forEach(count -> count.last = count.soFar.getAsLong());
        cpu = cpuSoFar.get().since(cpu);
    }

    /** Begins the window, sleeps for its length, and ends the window. */
    public void sleep(Duration length) throws InterruptedException {
        begin();
        Thread.sleep(length);
        end();
    }

    public double seconds() {
        return nanos / 1e9;
    }

    /** The CPU time between beginning and end. */
    public CpuUse cpu() {
        return cpu;
    }
}
