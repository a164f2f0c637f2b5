package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.FilePayload;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A user at the console in a tab of a browser, with the errors that the page reports. */
final class Visit implements AutoCloseable {
    private static final double LIMIT_MS = 20_000;

    private final BrowserContext context;
    private final Page page;
    private final List<String> complaints;

    private Visit(BrowserContext context, List<String> complaints) {
        this.context = context;
        this.complaints = complaints;
        this.page = context.newPage();
        page.setDefaultTimeout(LIMIT_MS);
        page.onConsoleMessage(message -> {
            if (message.type().equals("error") || message.type().equals("warning")) {
                complaints.add(message.text());
            }
        });
        page.onPageError(complaints::add);
        page.onDialog(dialog -> {
            complaints.add("A dialog opened: " + dialog.message());
            dialog.dismiss();
        });
    }

    static Visit of(Browser browser, URI address) {
        return of(browser, address, new Browser.NewContextOptions());
    }

    static Visit of(Browser browser, URI address, Browser.NewContextOptions options) {
        Visit visit = new Visit(browser.newContext(options), new ArrayList<>());
        visit.page.navigate(address.toString());
        return visit;
    }

    /** A further tab of the same browser, on the same conversation. */
    Visit secondTab() {
        return tabAt(page.url());
    }

    /** A further tab of the same browser. */
    Visit tabAt(String address) {
        Visit visit = new Visit(context, complaints);
        visit.page.navigate(address);
        return visit;
    }

    Page page() {
        return page;
    }

    BrowserContext context() {
        return context;
    }

    /** The name of the visitor as the console shows it. */
    Locator me() {
        return page.locator(".sidebar-me");
    }

    Locator composer() {
        return page.getByLabel("Message", new Page.GetByLabelOptions().setExact(true));
    }

    Locator button(String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    Locator link(String name) {
        return page.getByRole(
                AriaRole.LINK, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    Locator tab(String name) {
        return page.getByRole(
                AriaRole.TAB, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    void send(String text) {
        composer().fill(text);
        composer().press("Enter");
    }

    /** Sends a message, and waits for the answer and for the end of all runs. */
    void ask(String text, String answer) {
        send(text);
        assertThat(lastText()).hasText(answer);
        awaitQuiet();
    }

    /** Chooses images for the next message. */
    void choose(Photo... photos) {
        page.getByLabel("Images", new Page.GetByLabelOptions().setExact(true))
                .setInputFiles(Arrays.stream(photos).map(Photo::file).toArray(FilePayload[]::new));
    }

    /** The chosen images of the next message. */
    Locator uploads(String state) {
        return page.locator(".composer-upload[data-state=" + state + "]");
    }

    /** The scrolling region. */
    Locator region() {
        return page.getByRole(
                AriaRole.REGION, new Page.GetByRoleOptions().setName("Messages").setExact(true));
    }

    Locator messages() {
        return region().locator("article");
    }

    Locator lastText() {
        return texts().last();
    }

    /** The texts of all messages in the page, including growing ones. */
    Locator texts() {
        return messages().locator(".conversation-text");
    }

    Locator notice(String kind) {
        return region().locator(".conversation-notice[data-kind=" + kind + "]");
    }

    Locator cards() {
        return region().locator(".card-root");
    }

    Locator thread(String title) {
        return page.getByRole(
                        AriaRole.NAVIGATION,
                        new Page.GetByRoleOptions().setName("Conversations").setExact(true))
                .locator("a")
                .filter(new Locator.FilterOptions()
                        .setHas(page.locator(".threads-title", new Page.LocatorOptions().setHasText(title))));
    }

    /** Chooses an action from the menu of a message. */
    void act(Locator message, String action) {
        message.locator("[aria-haspopup=menu]").click();
        message.getByRole(
                        AriaRole.MENUITEM,
                        new Locator.GetByRoleOptions().setName(action).setExact(true))
                .click();
    }

    /** Waits until no run is active, and no message is in transit. */
    void awaitQuiet() {
        assertThat(button("Stop")).hasCount(0);
        assertThat(region().locator("article[data-state=pending], article[data-state=growing]"))
                .hasCount(0);
    }

    /** The demo agent's answer to {@code /slow n}. */
    static String counted(int words) {
        return IntStream.rangeClosed(1, words).mapToObj(String::valueOf).collect(Collectors.joining(" ")) + ".";
    }

    /** The errors in the browser's console, and unexpected dialogs. */
    List<String> complaints() {
        return complaints;
    }

    @Override
    public void close() {
        context.close();
    }
}
