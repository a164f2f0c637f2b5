package dev.parley.bench.prove;

import dev.parley.sdk.ParleyProblem;
import dev.parley.sdk.ParleyUnreachable;
import dev.parley.sdk.PlacedEvent;
import dev.parley.sdk.RunStream;
import dev.parley.sdk.StreamBroken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Follows one run from its beginning to its end, in stretches. A cut connection or the viewer itself ends a stretch,
 * and the next stretch begins after the last event seen.
 */
final class RunViewer implements Runnable {
    private static final int MAX_STRETCH = 40;
    private static final Duration STEP = Duration.ofMillis(500);
    /**
     * The viewer leaves after this many steps without an event, because the node may be frozen and another node may
     * know more.
     */
    private static final int QUIET_STEPS = 8;

    private final StartedRun run;
    private final Member member;
    private final List<PlacedEvent> seen = new ArrayList<>();
    private @Nullable Long last;
    private volatile boolean ended;
    private volatile boolean givenUp;

    RunViewer(StartedRun run, Member member) {
        this.run = run;
        this.member = member;
    }

    StartedRun viewed() {
        return run;
    }

    boolean hasEnded() {
        return ended;
    }

    void giveUp() {
        givenUp = true;
    }

    /** The joined events that the viewer saw; call this only after its thread has ended. */
    RunTrace trace() {
        return RunTrace.of(seen);
    }

    @Override
    public void run() {
        member.work(() -> {
            while (!ended && !givenUp) {
                if (!stretch()) {
                    member.pause(20, 200);
                }
                member.moveOn();
            }
        });
    }

    private boolean stretch() {
        try {
            watch(1 + member.random().nextInt(MAX_STRETCH));
            return true;
        } catch (ParleyUnreachable cut) {
            member.incidents().count("viewer cut off");
        } catch (ParleyProblem problem) {
            givenUp |= !member.incidents().refused("a viewer of " + run, problem);
        } catch (StreamBroken broken) {
            member.incidents().unexpected("a viewer of " + run + ": " + broken.getMessage());
            givenUp = true;
        }
        return false;
    }

    private void watch(int events) {
        RunStream stream = member.client().runs().open(run.thread(), run.runId(), last);
        try (stream) {
            int quiet = 0;
            for (int left = events; left > 0 && quiet < QUIET_STEPS && !ended && !givenUp; ) {
                Optional<PlacedEvent> event = stream.next(STEP);
                if (event.isPresent()) {
                    take(event.get());
                    left--;
                    quiet = 0;
                } else {
                    quiet++;
                }
            }
            if (!ended) {
                member.incidents().count("viewer left");
            }
        } finally {
            if (stream.violations() > 0) {
                // The client hides repeats from the viewer, but counts them.
                member.incidents().unexpected("a viewer of " + run + " was sent a repeat near " + last);
            }
        }
    }

    private void take(PlacedEvent event) {
        if (event.resync().isPresent()) {
            member.incidents().unexpected("a viewer of " + run + " was told to read again from " + event.position());
            givenUp = true;
            return;
        }
        seen.add(event);
        last = event.position();
        ended = event.isTerminal();
    }
}
