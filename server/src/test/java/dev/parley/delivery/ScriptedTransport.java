package dev.parley.delivery;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;

/** A platform with a script for each part; without a script it accepts all parts. */
final class ScriptedTransport implements ChatTransport {
    /** The platform's reaction to a part. */
    enum Act {
        TAKE,
        /** The platform accepts the part, and the answer is lost. */
        TAKE_SILENTLY,
        /** The request is lost, and the outcome is unknown. */
        LOSE,
        REFUSE,
        NOT_NOW,
        /** The adapter has a bug. */
        BREAK
    }

    private final List<Parcel> taken = Collections.synchronizedList(new ArrayList<>());
    private final Deque<Act> script = new ArrayDeque<>();
    private final Semaphore hold = new Semaphore(0);
    private volatile boolean held;
    /** Only senders to workspaces with this prefix wait. */
    private volatile String heldPrefix = "";

    private volatile Lookup onAbsence = new Lookup.Absent();
    private volatile boolean knowsMarkers;

    synchronized ScriptedTransport then(Act... acts) {
        script.addAll(List.of(acts));
        return this;
    }

    ScriptedTransport whenAbsent(Lookup found) {
        onAbsence = found;
        return this;
    }

    /** The platform answers no lookups, but accepts each marker once. */
    ScriptedTransport knowingMarkers() {
        knowsMarkers = true;
        return this;
    }

    /** Blocks all senders from now on, after their part was accepted. */
    void hold() {
        held = true;
    }

    /** Blocks senders to workspaces with this prefix from now on, after their part was accepted. */
    void holdIn(String prefix) {
        heldPrefix = prefix;
        held = true;
    }

    /** Releases all blocked senders. */
    void release() {
        held = false;
    }

    List<String> texts() {
        synchronized (taken) {
            return taken.stream().map(Parcel::text).toList();
        }
    }

    /** The channels of the parts, in their order. */
    List<String> channels() {
        synchronized (taken) {
            return taken.stream().map(parcel -> parcel.target().channel()).toList();
        }
    }

    List<String> texts(String channel) {
        synchronized (taken) {
            return taken.stream()
                    .filter(parcel -> parcel.target().channel().equals(channel))
                    .map(Parcel::text)
                    .toList();
        }
    }

    @Override
    public String source() {
        return "scripted";
    }

    @Override
    public int largestPart() {
        return 100;
    }

    @Override
    public SendResult send(Parcel parcel) throws InterruptedException {
        Act act = next();
        if (act == Act.BREAK) {
            throw new IllegalStateException("a bug of the adapter");
        }
        if (act == Act.TAKE || act == Act.TAKE_SILENTLY) {
            take(parcel);
        }
        if (held && parcel.target().workspace().startsWith(heldPrefix)) {
            hold.acquire();
        }
        return switch (act) {
            case TAKE -> new SendResult.Delivered("ext-" + parcel.marker());
            case TAKE_SILENTLY, LOSE -> new SendResult.Unknown("The answer was lost.");
            case REFUSE -> new SendResult.Refused("There is no such channel.");
            case BREAK -> throw new IllegalStateException();
            case NOT_NOW -> new SendResult.NotNow("Too fast.", Duration.ofMillis(20));
        };
    }

    private void take(Parcel parcel) {
        synchronized (taken) {
            if (!knowsMarkers || taken.stream().noneMatch(each -> each.marker().equals(parcel.marker()))) {
                taken.add(parcel);
            }
        }
    }

    private synchronized Act next() {
        Act act = script.poll();
        return act == null ? Act.TAKE : act;
    }

    @Override
    public Lookup lookUp(Parcel parcel) {
        if (knowsMarkers) {
            return new Lookup.SendAgain();
        }
        synchronized (taken) {
            return taken.stream().anyMatch(each -> each.marker().equals(parcel.marker()))
                    ? new Lookup.There("ext-" + parcel.marker())
                    : onAbsence;
        }
    }
}
