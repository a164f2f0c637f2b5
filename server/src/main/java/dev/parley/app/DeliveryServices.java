package dev.parley.app;

import dev.parley.app.metrics.Figures;
import dev.parley.delivery.ChatTransport;
import dev.parley.delivery.DeadLetters;
import dev.parley.delivery.Deliverer;
import dev.parley.delivery.Deliveries;
import dev.parley.delivery.Typing;
import dev.parley.delivery.WebhookSecrets;
import dev.parley.delivery.Webhooks;
import dev.parley.face.chat.ChatViews;
import dev.parley.threads.ThreadAccess;
import java.util.List;

/** Webhooks, and replies to other platforms. */
record DeliveryServices(
        Deliveries deliveries, Deliverer deliverer, Typing typing, Webhooks webhooks, DeadLetters deadLetters) {
    static DeliveryServices open(
            Foundation base,
            LogServices logs,
            ThreadAccess access,
            Outgoing outgoing,
            List<ChatTransport> transports,
            Credentials credentials,
            Figures figures) {
        WebhookSecrets secrets = new WebhookSecrets(base.signingSecrets());
        Deliverer deliverer = base.keep(Deliverer.start(
                new Deliverer.Dependencies(
                        base.database(),
                        logs.reader(),
                        logs.log(),
                        access,
                        credentials.agentTokens(),
                        outgoing.calls(),
                        secrets,
                        ChatViews::webhookBody,
                        logs.facts()::mayHaveWebhooks),
                transports,
                figures::deliveryEnded,
                base.limits().delivery(),
                base.clock()));
        figures.watch(deliverer);
        return new DeliveryServices(
                new Deliveries(base.database()),
                deliverer,
                base.keep(new Typing(base.database(), transports)),
                new Webhooks(
                        base.database(),
                        access,
                        logs.reader(),
                        outgoing.outbound(),
                        secrets,
                        base.limits().delivery(),
                        base.clock()),
                new DeadLetters(base.database(), credentials.audit()));
    }
}
