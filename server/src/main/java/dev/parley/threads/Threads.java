package dev.parley.threads;

import dev.parley.auth.Principal;
import dev.parley.limits.Limits;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The front door of threads: making them, finding them, and the one rule about who may see them. */
public final class Threads {
    private static final Set<String> TYPES = Set.of("public", "workspace", "private");
    private static final Set<String> MODES = Set.of("open", "invocation_only");

    private final Database database;
    private final Limits limits;
    private final Clock clock;

    public Threads(Database database, Limits limits, Clock clock) {
        this.database = database;
        this.limits = limits;
        this.clock = clock;
    }

    /** A thread somebody wants to make; null means: not said. */
    public record Plan(
            @Nullable String type,
            @Nullable String title,
            @Nullable String participationMode,
            List<Actor> participants) {}

    /** Makes a thread with the caller as its manager. */
    public ThreadId create(Principal caller, Plan plan) {
        String type = plan.type() == null ? "private" : plan.type();
        String mode = plan.participationMode() == null ? "open" : plan.participationMode();
        String title = plan.title();
        if (!TYPES.contains(type)) {
            throw ProblemException.invalidField("thread_type", "must be public, workspace or private");
        }
        if (!MODES.contains(mode)) {
            throw ProblemException.invalidField("participation_mode", "must be open or invocation_only");
        }
        if (title != null) {
            Text.requireStorable("title", title);
            Text.requireAtMost("title", title, limits.title());
        }
        NewThreadRow thread = new NewThreadRow(
                ThreadId.fresh(),
                type,
                title,
                mode,
                caller.actor(),
                clock.instant().truncatedTo(ChronoUnit.MICROS));
        List<NewMemberRow> members = members(caller, plan.participants());
        database.transact(handle -> {
            ThreadStore.insert(handle, thread, members);
            return thread;
        });
        return thread.id();
    }

    private List<NewMemberRow> members(Principal caller, List<Actor> participants) {
        Set<Actor> others = new LinkedHashSet<>(participants);
        others.remove(caller.actor());
        if (others.size() >= limits.participants()) {
            throw ProblemException.invalidField(
                    "participants", "are more than the limit of " + limits.participants() + " in one thread");
        }
        List<NewMemberRow> members = new ArrayList<>();
        members.add(new NewMemberRow(caller.actor(), caller.displayName(), Capability.toBits(Capability.ALL)));
        for (Actor other : others) {
            if (other.kind() != Actor.Kind.USER) {
                throw ProblemException.invalidField("participants", "names " + other + ", who is not a user");
            }
            // Nobody else's name is known before they call; until then the id stands for it.
            members.add(new NewMemberRow(other, other.value(), Capability.toBits(Capability.TALK)));
        }
        return members;
    }

    /** The thread as the caller sees it; a foreign thread and a missing one look the same. */
    public ThreadSnapshot require(Principal caller, ThreadId thread) {
        return database.read(handle -> ThreadStore.find(handle, thread, caller.actor()))
                .filter(found -> found.members().stream()
                        .anyMatch(member -> member.actor().equals(caller.actor())
                                && member.capabilities().contains(Capability.CAN_READ)))
                .orElseThrow(Threads::notFound);
    }

    /** Passes if the caller may read the thread. */
    public void requireReadable(Principal caller, ThreadId thread) {
        OptionalInt bits = database.read(handle -> ThreadStore.capabilities(handle, thread, caller.actor()));
        if (bits.isEmpty() || !Capability.CAN_READ.in(bits.getAsInt())) {
            throw notFound();
        }
    }

    private static ProblemException notFound() {
        return new ProblemException(Problem.THREAD_NOT_FOUND, "There is no such thread.");
    }
}
