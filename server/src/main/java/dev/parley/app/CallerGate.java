package dev.parley.app;

import dev.parley.auth.Authenticator;
import dev.parley.auth.Principal;
import dev.parley.auth.Rate;
import dev.parley.auth.RateLimits;
import dev.parley.http.Gate;
import dev.parley.http.RateKind;
import dev.parley.http.RequestHead;
import dev.parley.threads.DisplayNames;

/** Authenticates callers, notes the display names that their tokens carry, and counts their calls. */
record CallerGate(Authenticator authenticator, DisplayNames names, RateLimits rates) implements Gate<Principal> {
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

    @Override
    public void count(Principal caller, RateKind kind) {
        if (!(kind instanceof Rate rate)) {
            throw new IllegalArgumentException("No rate is kept of " + kind);
        }
        rates.count(caller, rate);
    }
}
