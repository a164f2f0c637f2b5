package dev.parley.face.operator;

import dev.parley.auth.Principal;
import dev.parley.delivery.DeadLetters;
import dev.parley.delivery.ListedDelivery;
import dev.parley.http.Answer;
import dev.parley.http.Call;
import dev.parley.http.Routes;
import dev.parley.http.Unrated;
import dev.parley.limits.Limits;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.chat.DeliveryPage;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The routes of failed replies, for operators: list them, and send them again. */
public final class DeadLetterFace {
    private final DeadLetters letters;
    private final Limits.Requests limits;

    public DeadLetterFace(DeadLetters letters, Limits.Requests limits) {
        this.letters = letters;
        this.limits = limits;
    }

    public void addTo(Routes<Principal> routes) {
        String path = "/api/v1/operator/dead-letters";
        routes.get(path, Unrated.FREE, this::list)
                .post(path + "/{delivery_id}/replay", limits.body(), Unrated.FREE, this::replay);
    }

    private Answer list(Call<Principal> call) {
        OperatorFace.operator(call);
        int limit = call.pageSize(limits.page(), limits.page());
        Optional<UUID> before = call.query("before").map(DeadLetterFace::id);
        List<ListedDelivery> deliveries = letters.listBefore(before.orElse(null), limit + 1);
        return Answer.ok(new DeliveryPage(
                deliveries.stream().limit(limit).map(ListedDelivery::toView).toList(), deliveries.size() > limit));
    }

    private Answer replay(Call<Principal> call) {
        Principal operator = OperatorFace.operator(call);
        return Answer.ok(
                letters.replay(operator.actor(), id(call.path("delivery_id"))).toView());
    }

    private static UUID id(String text) {
        return UuidV7.parseCanonical(text)
                .orElseThrow(() -> new ProblemException(Problem.DELIVERY_NOT_FOUND, "There is no such delivery."));
    }
}
