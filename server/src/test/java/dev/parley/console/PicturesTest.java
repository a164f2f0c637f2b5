package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.FilePayload;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a person does with images at the console. */
class PicturesTest {
    private static final String STORED = "**/storage/v1/object/sign/**";
    private static final Photo SEA = new Photo("sea.png", 640, 400);
    private static final Photo TOWER = new Photo("the tower ☀.png", 300, 900);

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

    private Locator chips() {
        return visit.page().locator("#uploads > li");
    }

    private Locator pictures() {
        return visit.page().locator("#messages .picture img");
    }

    private static void assertLoaded(Locator image, Photo photo) {
        assertThat(image).hasAttribute("alt", photo.name());
        assertThat(image)
                .hasAttribute(
                        "src",
                        Pattern.compile("^http://[a-z0-9.]+:" + desk.uri().getPort()
                                + "/storage/v1/object/sign/agent-files/agent-inputs/.*\\?token=.*"));
        assertThat(image).hasJSProperty("naturalWidth", photo.width());
        assertThat(image).hasJSProperty("naturalHeight", photo.height());
    }

    @Test
    void imagesThatWereChosenGoWithTheMessageAndAreThereAfterAReload() {
        visit.choose(SEA, TOWER);
        assertThat(chips()).hasCount(2);
        assertThat(chips().first()).containsText("Ready");
        assertThat(chips().last()).containsText("Ready");

        visit.send("Look");

        assertThat(visit.lastText()).hasText("You said: Look\n" + SEA.seen() + "\n" + TOWER.seen());
        assertThat(chips()).hasCount(0);
        visit.awaitQuiet();
        assertLoaded(pictures().first(), SEA);
        assertLoaded(pictures().last(), TOWER);
        visit.page().reload();
        assertThat(pictures()).hasCount(2);
        assertLoaded(pictures().first(), SEA);
        assertLoaded(pictures().last(), TOWER);
        assertThat(visit.messages().first().locator(".body > .text")).hasText("Look");
    }

    @Test
    void anImageNeedsNoWordsAndMayBeSentBeforeItIsUploaded() {
        List<Route> held = new ArrayList<>();
        visit.page().route("**/api/v1/agent/attachments", held::add);
        visit.choose(SEA);
        assertThat(visit.page().locator("#uploads progress")).isVisible();
        visit.composer().press("Enter");
        assertThat(visit.page().getByRole(AriaRole.ALERT)).containsText("as soon as its images are uploaded");
        assertThat(visit.messages()).hasCount(0);

        held.forEach(Route::resume);

        assertThat(visit.lastText()).hasText(SEA.seen());
        visit.awaitQuiet();
        assertThat(visit.texts()).containsExactly(SEA.seen());
        assertLoaded(pictures(), SEA);
    }

    @Test
    void imagesArePastedAndDropped() {
        String bytes = Base64.getEncoder().encodeToString(SEA.png());
        String event = """
                ([bytes, kind]) => {
                  const data = new DataTransfer();
                  const file = Uint8Array.from(atob(bytes), (each) => each.charCodeAt(0));
                  data.items.add(new File([file], kind + ".png", {type: "image/png"}));
                  const how = {bubbles: true, cancelable: true};
                  document.getElementById("text").dispatchEvent(kind === "paste"
                    ? new ClipboardEvent(kind, {...how, clipboardData: data})
                    : new DragEvent(kind, {...how, dataTransfer: data}));
                }""";
        visit.page().evaluate(event, List.of(bytes, "paste"));
        visit.page().evaluate(event, List.of(bytes, "drop"));
        assertThat(chips()).containsText(new String[] {"paste.png", "drop.png"});
        assertThat(chips().last()).containsText("Ready");
        visit.button("Remove paste.png").click();
        assertThat(chips()).hasCount(1);

        visit.send("One");

        assertThat(visit.lastText()).hasText("You said: One\n" + SEA.seen());
        assertThat(pictures()).hasAttribute("alt", "drop.png");
    }

    @Test
    void whatIsNoImageIsRefusedInWordsAndHoldsTheMessageBack() {
        byte[] text = "<script>alert(1)</script>".getBytes(StandardCharsets.UTF_8);
        byte[] large = Arrays.copyOf(SEA.png(), 10 * 1024 * 1024 + 1);
        visit.choose(
                new FilePayload("a.png", "image/png", text),
                new FilePayload("b.pdf", "application/pdf", text),
                new FilePayload("c.png", "image/png", large));

        assertThat(chips().nth(0)).containsText("Images of the types png, jpeg, gif, webp and avif are taken");
        assertThat(chips().nth(1)).containsText("Only images can be sent");
        assertThat(chips().nth(2)).containsText("The file is larger than the 10485760 bytes");
        visit.send("With these");
        assertThat(visit.page().getByRole(AriaRole.ALERT)).containsText("Not sent");
        assertThat(visit.messages()).hasCount(0);
        assertThat(visit.composer()).hasValue("With these");

        List.of("a.png", "b.pdf", "c.png")
                .forEach(name -> visit.button("Remove " + name).click());
        visit.composer().press("Enter");

        assertThat(visit.lastText()).hasText("You said: With these");
        visit.complaints().removeIf(complaint -> complaint.matches("(?s).*status of 41[35].*"));
    }

    @Test
    void anUploadWhoseAnswerIsLostIsStoredOnce() {
        List<String> answers = new ArrayList<>();
        visit.page().route("**/api/v1/agent/attachments", route -> {
            APIResponse answer = route.fetch();
            answers.add(answer.text().replaceAll("\"url\".*", ""));
            if (answers.size() < 3) {
                route.abort();
            } else {
                route.fulfill(new Route.FulfillOptions().setResponse(answer));
            }
        });

        visit.choose(SEA);

        assertThat(chips()).containsText("Ready");
        assertThat(answers).hasSize(3);
        assertThat(answers.stream().distinct()).hasSize(1);
        visit.complaints().removeIf(complaint -> complaint.contains("net::ERR_FAILED"));
    }

    @Test
    void anImageThatIsRemovedBeforeItIsTriedAgainIsNotUploaded() {
        List<String> keys = new ArrayList<>();
        visit.page().route("**/api/v1/agent/attachments", route -> {
            keys.add(route.request().headerValue("Idempotency-Key"));
            if (keys.size() <= 3) {
                route.abort();
            } else {
                route.resume();
            }
        });
        visit.choose(SEA);
        visit.page().waitForCondition(() -> keys.size() == 1);
        visit.button("Remove " + SEA.name()).click();
        assertThat(chips()).hasCount(0);

        // Its two waits are longer than the first one of the image before.
        visit.choose(TOWER);

        assertThat(chips()).containsText("Ready");
        assertThat(keys).hasSize(4);
        assertThat(keys.subList(1, 4)).doesNotContain(keys.getFirst());
        visit.complaints().removeIf(complaint -> complaint.contains("net::ERR_FAILED"));
    }

    @Test
    void imagesThatAreNotSentYetAreKeptForEachConversation() {
        visit.send("A place");
        assertThat(visit.lastText()).hasText("You said: A place");
        visit.choose(SEA);
        assertThat(chips()).containsText("Ready");
        visit.button("New conversation").click();
        assertThat(chips()).hasCount(0);

        visit.page().reload();
        assertThat(chips()).hasCount(0);
        visit.thread("A place").first().click();
        assertThat(chips()).containsText("sea.png");
        assertThat(visit.page().locator("#uploads img")).hasJSProperty("naturalWidth", 640);
        visit.composer().press("Enter");

        assertThat(visit.lastText()).hasText(SEA.seen());
        visit.page().reload();
        assertThat(pictures()).hasCount(1);
        assertThat(chips()).hasCount(0);
    }

    @Test
    void aRefusedMessageComesBackWithItsImages() {
        visit.choose(SEA);
        assertThat(chips()).containsText("Ready");

        visit.send("x".repeat(10_001));

        assertThat(visit.page().getByRole(AriaRole.ALERT)).containsText("exceeds limit");
        assertThat(chips()).containsText("sea.png");
        visit.send("Short");
        assertThat(visit.lastText()).hasText("You said: Short\n" + SEA.seen());
        visit.complaints().removeIf(complaint -> complaint.contains("status of 400"));
    }

    @Test
    void anImageIsOpenedAndClosedByKeysAndNothingElseIsStopped() {
        visit.choose(TOWER);
        assertThat(chips()).containsText("Ready");
        visit.send("/slow 1000");
        assertThat(visit.lastText()).containsText("1 2 3");
        Locator picture = visit.button("Open " + TOWER.name());
        Locator viewer = visit.page().locator("#viewer");

        picture.press("Enter");
        assertThat(viewer).isVisible();
        assertLoaded(viewer.locator("img"), TOWER);
        visit.page().keyboard().press("Escape");

        assertThat(viewer).isHidden();
        assertThat(picture).isFocused();
        assertThat(visit.button("Stop")).isVisible();
        picture.click();
        visit.button("Close").click();
        assertThat(viewer).isHidden();
        visit.button("Stop").click();
        visit.awaitQuiet();
    }

    @Test
    void anAddressThatHasExpiredIsAskedForAgainOnce() {
        visit.choose(SEA);
        assertThat(chips()).containsText("Ready");
        visit.send("Look");
        assertThat(visit.lastText()).containsText("I see");
        visit.awaitQuiet();
        AtomicInteger tries = new AtomicInteger();
        visit.page().route(STORED, route -> {
            if (tries.getAndIncrement() == 0) {
                route.fulfill(new Route.FulfillOptions().setStatus(404));
            } else {
                route.resume();
            }
        });

        visit.page().reload();

        assertLoaded(pictures(), SEA);
        assertThat(tries).hasValue(2);
        visit.page().unroute(STORED);
        visit.page().route(STORED, route -> route.fulfill(new Route.FulfillOptions().setStatus(404)));
        visit.page().reload();
        assertThat(visit.messages().first()).containsText("sea.png cannot be shown.");
        visit.complaints().removeIf(complaint -> complaint.contains("status of 404"));
    }

    @Test
    void nothingMovesWhenImagesCome() {
        visit.choose(SEA, TOWER);
        assertThat(chips().last()).containsText("Ready");
        visit.send("Look");
        assertThat(visit.lastText()).containsText("I see");
        visit.awaitQuiet();
        List<Route> held = new ArrayList<>();
        visit.page().route(STORED, held::add);
        visit.page().addInitScript("""
                window.shifts = 0;
                new PerformanceObserver((list) => list.getEntries().forEach((each) => (window.shifts += each.value)))
                  .observe({type: "layout-shift", buffered: true});""");
        visit.page().reload();
        assertThat(visit.lastText()).containsText("I see");
        visit.page().waitForCondition(() -> held.size() == 2);
        Object before = boxes();
        double shifted = shifts();

        held.forEach(Route::resume);

        assertLoaded(pictures().first(), SEA);
        assertLoaded(pictures().last(), TOWER);
        assertThat(boxes()).isEqualTo(before);
        assertThat(shifts()).isEqualTo(shifted);
    }

    private double shifts() {
        return ((Number) visit.page().evaluate("""
                () => new Promise((resolve) =>
                  requestAnimationFrame(() => requestAnimationFrame(() => resolve(window.shifts))))""")).doubleValue();
    }

    private Object boxes() {
        return visit.page().evaluate("""
                () => [...document.querySelectorAll("#messages .text, #messages .picture")]
                  .map((each) => JSON.stringify(each.getBoundingClientRect())).join()""");
    }

    @Test
    void imagesAreReadFromWhereThePageIsWhateverTheServerCallsItself() {
        URI otherName = URI.create("http://localhost:" + desk.uri().getPort() + "/");
        try (Visit elsewhere = Visit.of(desk.browser(), otherName)) {
            assertThat(elsewhere.page().locator("#me")).hasText("Local user");
            elsewhere.choose(SEA);
            elsewhere.send("Look");

            assertThat(elsewhere.lastText()).containsText(SEA.seen());
            Locator picture = elsewhere.page().locator("#messages .picture img");
            assertLoaded(picture, SEA);
            assertThat(picture).hasAttribute("src", Pattern.compile("^" + otherName));
            assertThat(elsewhere.complaints()).isEmpty();
        }
    }

    @Test
    void imagesThatAClientOnlyClaimsAreNotAskedFor() {
        visit.send("Hello");
        assertThat(visit.lastText()).hasText("You said: Hello");
        visit.awaitQuiet();
        List<String> asked = new ArrayList<>();
        visit.page().onRequest(request -> asked.add(request.url()));
        visit.page().evaluate("""
                () => fetch(`api/v1/chat/threads/${location.hash.slice(1)}/messages`, {
                  method: "POST",
                  headers: {"Content-Type": "application/json"},
                  body: JSON.stringify({content: "claimed", metadata: {attachments: [{bucket: "agent-files", path: "x"}]}}),
                })""");

        assertThat(visit.lastText()).hasText("claimed");

        assertThat(pictures()).hasCount(0);
        assertThat(asked).noneMatch(url -> url.contains("signed-url"));
    }
}
