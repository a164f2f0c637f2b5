package dev.parley.face.chat;

import dev.parley.auth.CreationKey;
import dev.parley.auth.Principal;
import dev.parley.auth.Rate;
import dev.parley.delivery.Deliveries;
import dev.parley.delivery.ListedDelivery;
import dev.parley.delivery.Webhook;
import dev.parley.delivery.Webhooks;
import dev.parley.http.Answer;
import dev.parley.http.Call;
import dev.parley.http.Routes;
import dev.parley.limits.Limits;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.DeliveryPage;
import dev.parley.protocol.chat.NewWebhook;
import dev.parley.protocol.chat.RedeliveryWish;
import dev.parley.protocol.chat.Status;
import dev.parley.protocol.chat.WebhookPage;
import dev.parley.protocol.chat.WebhookView;
import dev.parley.threads.ThreadAccess;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The routes of a thread's outgoing deliveries: webhooks, and replies to chat platforms. */
public final class WebhookFace {
    private final Webhooks webhooks;
    private final Deliveries deliveries;
    private final ThreadAccess access;
    private final Limits.Requests limits;

    public WebhookFace(Webhooks webhooks, Deliveries deliveries, ThreadAccess access, Limits.Requests limits) {
        this.webhooks = webhooks;
        this.deliveries = deliveries;
        this.access = access;
        this.limits = limits;
    }

    public void addTo(Routes<Principal> routes) {
        String thread = "/api/v1/chat/threads/{thread_id}";
        String webhook = thread + "/webhooks/{webhook_id}";
        routes.post(thread + "/webhooks", limits.body(), Rate.THREAD_OPERATION, this::create)
                .get(thread + "/webhooks", Rate.POLL, this::list)
                .delete(webhook, Rate.THREAD_OPERATION, this::delete)
                .post(webhook + "/enable", limits.body(), Rate.THREAD_OPERATION, this::enable)
                .post(webhook + "/redeliver", limits.body(), Rate.THREAD_OPERATION, this::redeliver)
                .get(thread + "/deliveries", Rate.POLL, this::listDeliveries);
    }

    private Answer create(Call<Principal> call) {
        NewWebhook newWebhook = call.json(NewWebhook.class);
        String url = Optional.ofNullable(newWebhook.callbackUrl())
                .orElseThrow(() -> ProblemException.invalidField("callback_url", "is required"));
        Webhooks.CreatedWebhook created = webhooks.create(
                call.caller(),
                ChatRequests.thread(call),
                url,
                CreationKey.of(call, "webhooks/" + call.path("thread_id"), newWebhook, limits.opaqueId()));
        // A repeated creation gets a status of its own, because only the first response contains the secret.
        return Answer.of(created.secret() == null ? 200 : 201, view(created.webhook(), created.secret()));
    }

    private Answer list(Call<Principal> call) {
        return Answer.ok(new WebhookPage(webhooks.list(call.caller(), ChatRequests.thread(call)).stream()
                .map(webhook -> view(webhook, null))
                .toList()));
    }

    private Answer delete(Call<Principal> call) {
        webhooks.delete(call.caller(), ChatRequests.thread(call), call.path("webhook_id"));
        return Answer.ok(new Status("ok"));
    }

    private Answer enable(Call<Principal> call) {
        return Answer.ok(
                view(webhooks.enable(call.caller(), ChatRequests.thread(call), call.path("webhook_id")), null));
    }

    private Answer redeliver(Call<Principal> call) {
        Long after = call.jsonIfPresent(RedeliveryWish.class)
                .map(RedeliveryWish::afterSeq)
                .orElse(0L);
        if (after < 0) {
            throw ProblemException.invalidField("after_seq", "must be a whole number, 0 or more");
        }
        return Answer.ok(view(
                webhooks.redeliver(call.caller(), ChatRequests.thread(call), call.path("webhook_id"), after), null));
    }

    private Answer listDeliveries(Call<Principal> call) {
        ThreadId thread = ChatRequests.thread(call);
        access.requireReadable(call.caller(), thread);
        int limit = ChatRequests.limit(call, limits.page());
        List<ListedDelivery> found =
                deliveries.listAfter(thread, call.wholeNumber("after_seq").orElse(0L), limit + 1);
        return Answer.ok(new DeliveryPage(
                found.stream().limit(limit).map(ListedDelivery::toView).toList(), found.size() > limit));
    }

    private static WebhookView view(Webhook webhook, @Nullable String secret) {
        return new WebhookView(
                webhook.id().toString(),
                webhook.thread(),
                webhook.owner(),
                webhook.url(),
                secret,
                webhook.on() ? "on" : "off",
                webhook.failingSince(),
                webhook.failures(),
                webhook.problem(),
                webhook.createdAt());
    }
}
