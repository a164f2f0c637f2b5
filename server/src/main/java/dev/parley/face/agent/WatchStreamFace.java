package dev.parley.face.agent;

import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.auth.Rate;
import dev.parley.http.Call;
import dev.parley.http.Routes;
import dev.parley.http.StreamSource;
import dev.parley.streaming.StreamQuota;
import dev.parley.threads.ThreadAccess;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The route that follows a caller's inbox and threads on one connection, because a browser opens only six connections
 * to a server.
 */
public final class WatchStreamFace {
    private final ThreadAccess access;
    private final WatchStream.Dependencies parts;
    private final StreamQuota quota;
    private final int maxThreads;

    public WatchStreamFace(ThreadAccess access, WatchStream.Dependencies parts, StreamQuota quota, int maxThreads) {
        this.access = access;
        this.parts = parts;
        this.quota = quota;
        this.maxThreads = maxThreads;
    }

    public void addTo(Routes<Principal> routes) {
        routes.stream("/api/v1/agent/stream", Rate.POLL, this::watch);
    }

    private StreamSource watch(Call<Principal> call) {
        Principal caller = call.caller();
        caller.requirePlace();
        caller.requireScope(Capability.CAN_READ);
        List<WatchWish> wishes = WatchWish.read(call.queries("watch"), maxThreads);
        WatchStream stream = new WatchStream(parts, caller, call.query("ticket"), quota.take(caller.actor()));
        try {
            Set<ThreadAccess.Membership> readable = access.stillReadable(
                    wishes.stream().map(wish -> membership(caller, wish)).collect(Collectors.toSet()));
            for (WatchWish wish : wishes) {
                if (readable.contains(membership(caller, wish))) {
                    stream.follow(wish);
                } else {
                    stream.refuse(wish.thread());
                }
            }
            return stream;
        } catch (RuntimeException failed) {
            stream.abandon();
            throw failed;
        }
    }

    private static ThreadAccess.Membership membership(Principal caller, WatchWish wish) {
        return new ThreadAccess.Membership(wish.thread(), caller.actor());
    }
}
