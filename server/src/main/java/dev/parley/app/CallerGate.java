package dev.parley.app;

import dev.parley.auth.Authenticator;
import dev.parley.auth.Principal;
import dev.parley.http.Gate;
import dev.parley.http.RequestHead;
import dev.parley.threads.DisplayNames;

/** Authenticates callers, and notes the display names that their tokens carry. */
record CallerGate(Authenticator authenticator, DisplayNames names) implements Gate<Principal> {
    @Override
    public Principal admit(RequestHead head) {
        Principal caller = authenticator.admit(head);
        names.note(caller);
        return caller;
    }

    @Override
    public Object meteredAs(Principal caller) {
        return caller.meteredAs();
    }
}
