package dev.parley.delivery;

import dev.parley.log.ThreadPurger;
import java.util.List;

/** What was sent from a thread, and who is told of it. Destinations stay: another thread may take them. */
public final class DeliveryPurger implements ThreadPurger {
    @Override
    public List<String> tables() {
        return List.of("deliveries", "webhooks");
    }
}
