package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.FilePayload;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Somebody at the console in a tab of a browser, and whatever the page complains about meanwhile. */
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

    static Visit of(Browser browser, URI server) {
        return of(browser, server, new Browser.NewContextOptions());
    }

    static Visit of(Browser browser, URI address, Browser.NewContextOptions options) {
        Visit visit = new Visit(browser.newContext(options), new ArrayList<>());
        visit.page.navigate(address.toString());
        return visit;
    }

    /** A further tab of the same browser, on the same conversation. */
    Visit secondTab() {
        Visit visit = new Visit(context, complaints);
        visit.page.navigate(page.url());
        return visit;
    }

    Page page() {
        return page;
    }

    Locator composer() {
        return page.getByLabel("Message", new Page.GetByLabelOptions().setExact(true));
    }

    Locator button(String name) {
        return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name));
    }

    void send(String text) {
        composer().fill(text);
        composer().press("Enter");
    }

    /** Chooses images for the next message. */
    void choose(Photo... photos) {
        choose(Arrays.stream(photos).map(Photo::file).toArray(FilePayload[]::new));
    }

    void choose(FilePayload... files) {
        page.locator("#files").setInputFiles(files);
    }

    Locator messages() {
        return page.locator("#messages > li.message");
    }

    /** The texts of all messages that can be seen, those that grow among them. */
    List<String> texts() {
        return messages().locator(".body > .text").allTextContents();
    }

    Locator lastText() {
        return messages().last().locator(".body > .text");
    }

    Locator thread(String title) {
        return page.locator("#threads a")
                .filter(new Locator.FilterOptions()
                        .setHas(page.locator(".thread-title", new Page.LocatorOptions().setHasText(title))));
    }

    static LocatorAssertions.ContainsTextOptions inTime() {
        return new LocatorAssertions.ContainsTextOptions().setTimeout(LIMIT_MS);
    }

    /** Waits until nobody is answering any more. */
    void awaitQuiet() {
        assertThat(page.locator("#stop")).isHidden(new LocatorAssertions.IsHiddenOptions().setTimeout(LIMIT_MS));
        assertThat(page.locator("#messages > li.pending, #messages > li.growing"))
                .hasCount(0, new LocatorAssertions.HasCountOptions().setTimeout(LIMIT_MS));
    }

    /** What the page wrote to the browser's console, and dialogs that opened. */
    List<String> complaints() {
        return complaints;
    }

    @Override
    public void close() {
        context.close();
    }
}
