package dev.parley.limits;

/**
 * The caller on whose behalf this thread works, for resources such as the connection pool that get no caller as an
 * argument. Unbound in the server's own threads.
 */
public final class ActingCaller {
    private static final ScopedValue<Object> CALLER = ScopedValue.newInstance();

    private ActingCaller() {}

    /** Does something in the name of a caller. */
    public static <R, X extends Throwable> R call(Object caller, ScopedValue.CallableOp<R, X> work) throws X {
        return ScopedValue.where(CALLER, caller).call(work);
    }

    /** The caller; a thread of the server's own counts as a caller of its own. */
    public static Object current() {
        return CALLER.isBound() ? CALLER.get() : Thread.currentThread();
    }
}
