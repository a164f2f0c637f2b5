package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import dev.parley.testing.RunningServer;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a person does at the console, in a real browser against a whole server. */
class ConsoleTest {
    private static Desk desk;
    private Visit visit;

    @BeforeAll
    static void start() throws IOException {
        desk = Desk.start();
    }

    @AfterAll
    static void stop() {
        desk.close();
    }

    @BeforeEach
    void open() {
        visit = desk.visit();
    }

    @AfterEach
    void leave() {
        visit.close();
        assertThat(visit.complaints()).isEmpty();
    }

    private static String counted(int words) {
        return IntStream.rangeClosed(1, words).mapToObj(String::valueOf).collect(Collectors.joining(" ")) + ".";
    }

    @Test
    void whoSitsAtThisMachineStartsAConversationAndSeesTheAnswer() {
        visit.send("Hello there");

        assertThat(visit.lastText()).hasText("You said: Hello there");
        visit.awaitQuiet();
        assertThat(visit.texts()).containsExactly("Hello there", "You said: Hello there");
        assertThat(visit.thread("Hello there")).containsText("You said: Hello there");
        assertThat(visit.page().locator("#title")).hasText("Hello there");
    }

    @Test
    void theAnswerIsSeenWhileItGrowsAndCanBeStopped() {
        visit.send("/slow 1000");
        assertThat(visit.lastText()).containsText("1 2 3 4");
        String early = visit.lastText().textContent();
        assertThat(visit.lastText()).not().hasText(early);
        String later = visit.lastText().textContent();

        assertThat(counted(1000)).startsWith(later);
        assertThat(later).startsWith(early);
        assertThat(visit.page().locator("#activity")).containsText("Demo is answering");
        visit.button("Stop").click();
        assertThat(visit.page().locator("#messages > li.notice")).hasText("Stopped");
        visit.awaitQuiet();
        assertThat(counted(1000)).startsWith(visit.lastText().textContent());
    }

    @Test
    void whoReloadsInMidAnswerGetsTheWholeTextOnce() {
        visit.send("/slow 100");
        assertThat(visit.lastText()).containsText("1 2 3 4 5");

        visit.page().reload();

        assertThat(visit.lastText()).containsText("1 2 3 4 5");
        assertThat(visit.lastText()).hasText(counted(100));
        visit.awaitQuiet();
        assertThat(visit.texts()).containsExactly("/slow 100", counted(100));
        visit.page().reload();
        assertThat(visit.lastText()).hasText(counted(100));
        assertThat(visit.texts()).containsExactly("/slow 100", counted(100));
    }

    @Test
    void twoTabsShowTheSame() {
        visit.send("Who is there?");
        assertThat(visit.lastText()).hasText("You said: Who is there?");
        Visit second = visit.secondTab();
        assertThat(second.lastText()).hasText("You said: Who is there?");

        second.send("/slow 10");
        assertThat(visit.lastText()).hasText(counted(10));
        visit.send("Me too");

        assertThat(second.lastText()).hasText("You said: Me too");
        visit.awaitQuiet();
        second.awaitQuiet();
        assertThat(visit.texts())
                .isEqualTo(second.texts())
                .containsExactly(
                        "Who is there?",
                        "You said: Who is there?",
                        "/slow 10",
                        counted(10),
                        "Me too",
                        "You said: Me too");
    }

    @Test
    void markupIsShownAsTextAndDoesNothing() {
        String attack = "<img src=x onerror=\"document.title='hacked'\"><script>alert(1)</script> \u202Eמילה 中文 👋";

        visit.send(attack);

        assertThat(visit.lastText()).hasText("You said: " + attack);
        visit.awaitQuiet();
        assertThat(visit.page().locator("#messages img, #threads img, #messages script"))
                .hasCount(0);
        assertThat(visit.page().title()).doesNotStartWith("hacked");
        assertThat(visit.page().locator("#title")).containsText("<img src=x");
    }

    @Test
    void toolCallsThoughtsAndFailuresAreShownAndAreThereAfterAReload() {
        visit.send("weather in Oslo");
        assertThat(visit.lastText()).containsText("The weather in Oslo:");
        visit.awaitQuiet();
        visit.send("/think twice");
        assertThat(visit.lastText()).hasText("You said: twice");
        visit.awaitQuiet();
        visit.send("/fail");
        Locator failure = visit.page().locator("#messages > li.failed");
        assertThat(failure).containsText("demo_failure");
        visit.awaitQuiet();
        List<String> before = everything();

        visit.page().reload();
        assertThat(failure).containsText("The demo agent failed, as it was told to.");

        assertThat(everything()).isEqualTo(before).doesNotHaveDuplicates();
        Locator call = visit.page().locator("details.call");
        assertThat(call.locator(".text")).not().isVisible();
        call.locator("summary").click();
        assertThat(call.locator(".text")).hasText("{\"city\":\"Oslo\"}");
        assertThat(visit.page().locator("details.result .fold-title")).hasText("get_weather");
        assertThat(visit.page().locator("details.thought .text")).containsText("They want an answer to: twice");
        assertThat(visit.messages().last().locator(".marks")).hasText("cut short");
    }

    /** All that the conversation says, without the times. */
    private List<String> everything() {
        return new ArrayList<>(visit
                .page()
                .locator("#messages .name, #messages .text, #messages .fold-title, #messages .marks, #messages .notice")
                .allTextContents()
                .stream()
                .filter(text -> !text.isEmpty() && !text.equals("Demo") && !text.equals("Local user"))
                .filter(text -> !text.equals("get_weather"))
                .toList());
    }

    @Test
    void aQuestionIsAnsweredByAButton() {
        visit.send("/approve Shall I?");

        visit.button("Approve").click();

        assertThat(visit.lastText()).hasText("Approved: Shall I?");
        visit.awaitQuiet();
        assertThat(visit.button("Approve")).hasCount(0);
    }

    @Test
    void theKeyboardIsEnough() {
        visit.page().keyboard().press("Shift+Tab");
        assertThat(visit.page().locator(":focus")).isVisible();
        visit.composer().focus();
        visit.page().keyboard().type("first line");
        visit.page().keyboard().press("Shift+Enter");
        visit.page().keyboard().type("second line");
        visit.page().keyboard().press("Enter");
        assertThat(visit.lastText()).hasText("You said: first line\nsecond line");
        visit.awaitQuiet();
        visit.page().keyboard().type("/slow 1000");
        visit.page().keyboard().press("Enter");
        assertThat(visit.lastText()).containsText("1 2 3");

        visit.page().keyboard().press("Escape");

        visit.awaitQuiet();
        assertThat(visit.page().locator("#messages > li.notice")).hasText("Stopped");
        assertThat(visit.messages().last().locator(".marks")).hasText("cut short");
        Locator link = visit.thread("first line");
        for (int i = 0; i < 20 && !(boolean) link.evaluate("link => link === document.activeElement"); i++) {
            visit.page().keyboard().press("Shift+Tab");
        }
        assertThat(link).isFocused();
        String conversation = visit.page().url();
        visit.button("New conversation").press("Enter");
        assertThat(visit.composer()).isFocused();
        assertThat(visit.messages()).hasCount(0);
        link.press("Enter");
        assertThat(visit.messages()).hasCount(4);
        assertThat(visit.page().url()).isEqualTo(conversation);
    }

    @Test
    void whatIsNotSentYetIsKeptForEachConversation() {
        visit.send("A place");
        assertThat(visit.lastText()).hasText("You said: A place");
        visit.composer().fill("half a thought");
        visit.button("New conversation").click();
        assertThat(visit.composer()).hasValue("");
        visit.composer().fill("another one");

        visit.page().reload();
        assertThat(visit.composer()).hasValue("another one");
        visit.thread("A place").first().click();

        assertThat(visit.composer()).hasValue("half a thought");
    }

    /** The browser's own word for each failed request is no complaint of ours. */
    @Test
    void aMessageWhoseAnswerIsLostArrivesOnce() {
        AtomicInteger tries = new AtomicInteger();
        visit.page().route("**/api/v1/agent/runs", route -> {
            if (tries.getAndIncrement() < 2) {
                // The server has it, and the page never learns that.
                route.fetch();
                route.abort();
            } else {
                route.resume(new Route.ResumeOptions());
            }
        });

        visit.send("Only once");

        assertThat(visit.lastText()).hasText("You said: Only once");
        visit.awaitQuiet();
        assertThat(tries).hasValue(3);
        assertThat(visit.texts()).containsExactly("Only once", "You said: Only once");
        visit.complaints().removeIf(complaint -> complaint.contains("net::ERR_FAILED"));
    }

    @Test
    void aRefusedMessageComesBackToBeEdited() {
        visit.send("x".repeat(10_001));

        assertThat(visit.page().getByRole(AriaRole.ALERT)).containsText("exceeds limit");
        assertThat(visit.composer()).hasValue("x".repeat(10_001));
        assertThat(visit.messages()).hasCount(0);
        visit.complaints().removeIf(complaint -> complaint.contains("status of 400"));
    }

    @Test
    void olderMessagesComeWhenOneScrollsUpAndNothingMoves() {
        visit.send("/help");
        assertThat(visit.lastText()).containsText("/slow");
        visit.awaitQuiet();
        String thread = visit.page().url().substring(visit.page().url().indexOf('#') + 1);
        visit.page().evaluate("""
                async ([thread, count]) => {
                  const post = (path, body) => fetch(`api/v1/chat/threads/${thread}/${path}`, {
                    method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)});
                  // So that nobody answers.
                  await post("mode", {participation_mode: "invocation_only"});
                  for (let i = 1; i <= count; i++) {
                    await post("messages", {content: `note ${i}`});
                  }
                }""", List.of(thread, 120));
        visit.page().reload();
        assertThat(visit.lastText()).hasText("note 120");
        assertThat(visit.messages()).hasCount(50);

        Locator read = visit.page().getByText("note 78", new Page.GetByTextOptions().setExact(true));
        visit.page().locator("#scroller").evaluate("scroller => (scroller.scrollTop = 350)");
        double before = read.boundingBox().y;

        assertThat(visit.messages()).hasCount(100);
        assertThat(read).isInViewport();
        assertThat(read.boundingBox().y).isCloseTo(before, within(2.0));
        assertThat(visit.button("Jump to the latest")).isVisible();
        visit.button("Jump to the latest").click();
        assertThat(visit.lastText()).isInViewport();
    }

    @Test
    void itWorksUnderAnotherPath() {
        List<String> elsewhere = new ArrayList<>();
        // What the page that is already open still asks for is not meant.
        visit.page().navigate("about:blank");
        visit.page().onRequest(request -> {
            if (!request.url().startsWith(desk.uri() + "under/a/path/")) {
                elsewhere.add(request.url());
            }
        });
        visit.page()
                .route(
                        "**/under/a/path/**",
                        route -> route.resume(new Route.ResumeOptions()
                                .setUrl(route.request().url().replace("/under/a/path/", "/"))));

        visit.page().navigate(desk.uri() + "under/a/path/");
        assertThat(visit.page().locator("#me")).hasText("Local user");
        visit.send("Hello from afar");

        assertThat(visit.lastText()).hasText("You said: Hello from afar");
        assertThat(elsewhere).isEmpty();
    }

    @Test
    void aServerWithASecretAsksForAToken() {
        try (RunningServer guarded = RunningServer.start();
                Visit stranger = Visit.of(desk.browser(), URI.create(guarded.uri() + "/"))) {
            Locator field = stranger.page().getByLabel("Token");
            assertThat(field).isFocused();
            field.fill("not a token");
            stranger.button("Sign in").click();
            assertThat(stranger.page().getByRole(AriaRole.ALERT)).containsText("does not accept this token");

            field.fill(guarded.token(UUID.randomUUID(), "Ada"));
            stranger.button("Sign in").click();

            assertThat(stranger.page().locator("#me")).hasText("Ada");
            stranger.send("It is me");
            assertThat(stranger.lastText()).hasText("You said: It is me");
            stranger.page().reload();
            assertThat(stranger.lastText()).hasText("You said: It is me");
            stranger.button("Sign out").click();
            assertThat(field).isVisible();
            assertThat(stranger.messages()).hasCount(0);
            assertThat((String) stranger.page().evaluate("JSON.stringify({...sessionStorage, ...localStorage})"))
                    .isEqualTo("{}");
            assertThat(stranger.complaints()).allMatch(complaint -> complaint.contains("status of 401"));
        }
    }

    @Test
    void anotherBrowserSeesItsOwnConversationsMoveAsTheyChange() {
        visit.send("First matter");
        assertThat(visit.lastText()).hasText("You said: First matter");
        visit.button("New conversation").click();
        visit.send("Second matter");
        assertThat(visit.lastText()).hasText("You said: Second matter");
        try (Visit elsewhere = desk.visit(new Browser.NewContextOptions().setViewportSize(390, 844))) {
            Locator titles = elsewhere.page().locator("#threads .thread-title");
            assertThat(titles.first()).hasText("Second matter");

            visit.thread("First matter").click();
            assertThat(visit.messages()).hasCount(2);
            visit.send("again");

            assertThat(titles.first()).hasText("First matter");
            assertThat(elsewhere.thread("First matter")).containsText("You said: again");
            assertThat(elsewhere.complaints()).isEmpty();
        }
    }
}
