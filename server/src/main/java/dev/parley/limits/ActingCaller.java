package dev.parley.limits;

/**
 * The caller on whose behalf the current Java thread works. Resources without a caller argument, such as the connection
 * pool, read the caller here. No caller is bound in the server's own threads.
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
