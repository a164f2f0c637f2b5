package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Route;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A message written while the network is down or unstable arrives once. */
class OfflineTest {
    @RegisterExtension
    static final Desk desk = new Desk();

    private final Visit visit = desk.visit();

    /** Drops the browser's own errors for failed requests, which are not the page's. */
    private void forgiveTheNetwork() {
        visit.complaints().removeIf(complaint -> complaint.contains("net::ERR_"));
    }

    @Test
    void anOfflineMessageIsSentOnceWhenTheNetworkReturns() {
        visit.ask("Before", "You said: Before");
        visit.context().setOffline(true);

        visit.send("In between");
        assertThat(visit.region().locator("article[data-state=pending]")).containsText("In between");
        visit.context().setOffline(false);

        assertThat(visit.lastText()).hasText("You said: In between");
        visit.awaitQuiet();
        String[] all = {"Before", "You said: Before", "In between", "You said: In between"};
        assertThat(visit.texts()).hasText(all);
        visit.page().reload();
        assertThat(visit.texts()).hasText(all);
        forgiveTheNetwork();
    }

    @Test
    void anOfflineMessageIsSentByTheNextTab() {
        visit.ask("Before", "You said: Before");
        visit.context().setOffline(true);
        visit.send("Left behind");
        assertThat(visit.region().locator("article[data-state=pending]")).containsText("Left behind");
        String address = visit.page().url();
        visit.page().close();
        visit.context().setOffline(false);

        Visit next = visit.tabAt(address);

        assertThat(next.lastText()).hasText("You said: Left behind");
        next.awaitQuiet();
        assertThat(next.texts())
                .hasText(new String[] {"Before", "You said: Before", "Left behind", "You said: Left behind"});
        forgiveTheNetwork();
    }

    @Test
    void aMessageWhoseAnswerIsLostArrivesOnce() {
        AtomicInteger tries = new AtomicInteger();
        visit.page().route("**/api/v1/agent/runs", route -> {
            if (tries.getAndIncrement() < 2) {
                // The server stores the message, and the page never gets the response.
                route.fetch();
                route.abort();
            } else {
                route.resume(new Route.ResumeOptions());
            }
        });

        visit.ask("Only once", "You said: Only once");

        assertThat(visit.texts()).hasText(new String[] {"Only once", "You said: Only once"});
        visit.page().reload();
        assertThat(visit.texts()).hasText(new String[] {"Only once", "You said: Only once"});
        forgiveTheNetwork();
    }

    /** The reloaded page does not know the conversation yet, and must send it like the page before. */
    @Test
    void aMessageWhoseAnswerIsLostByAReloadArrivesOnce() {
        visit.ask("Before", "You said: Before");
        AtomicInteger tries = new AtomicInteger();
        visit.page().route("**/api/v1/chat/threads/*/messages", route -> {
            if (route.request().method().equals("POST")) {
                route.fetch();
                route.abort();
                tries.incrementAndGet();
            } else {
                route.resume(new Route.ResumeOptions());
            }
        });
        visit.send("Only once");
        visit.page().waitForCondition(() -> tries.get() > 0);
        visit.page().unroute("**/api/v1/chat/threads/*/messages");

        visit.page().reload();

        assertThat(visit.lastText()).hasText("You said: Only once");
        visit.awaitQuiet();
        assertThat(visit.texts())
                .hasText(new String[] {"Before", "You said: Before", "Only once", "You said: Only once"});
        forgiveTheNetwork();
    }

    @Test
    void aRefusedMessageCanBeSentAgainOrEdited() {
        visit.ask("Hello", "You said: Hello");
        visit.send("x".repeat(10_001));
        assertThat(visit.region().locator("article[data-state=refused]")).containsText("longer than the limit");

        visit.button("Edit").click();

        assertThat(visit.composer()).hasValue("x".repeat(10_001));
        visit.ask("Short", "You said: Short");
        assertThat(visit.texts()).hasText(new String[] {"Hello", "You said: Hello", "Short", "You said: Short"});
        visit.complaints().removeIf(complaint -> complaint.contains("status of 400"));
    }

    @Test
    void unsentMessagesAreKeptForEachConversation() {
        visit.ask("A place", "You said: A place");
        visit.composer().fill("half a thought");
        visit.link("New conversation").click();
        assertThat(visit.composer()).hasValue("");
        visit.composer().fill("another one");

        visit.page().reload();
        assertThat(visit.composer()).hasValue("another one");
        visit.thread("A place").first().click();

        assertThat(visit.composer()).hasValue("half a thought");
    }
}
