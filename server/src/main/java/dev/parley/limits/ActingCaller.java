package dev.parley.limits;

/**
 * The caller on whose behalf this thread works, for resources such as the connection pool that get no caller as an
 * argument. Unbound in the server's own threads.
 */
public final class ActingCaller {
    private static final ScopedValue<Object> CALLER = ScopedValue.newInstance();

    private ActingCaller() {}

    /** Runs an operation in the name of a caller. */
    public static <R, X extends Throwable> R call(Object caller, ScopedValue.CallableOp<R, X> work) throws X {
        return ScopedValue.where(CALLER, caller).call(work);
    }

    /** The caller; each of the server's own threads counts as a separate caller. */
    public static Object current() {
        return CALLER.isBound() ? CALLER.get() : Thread.currentThread();
    }
}
