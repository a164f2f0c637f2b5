package dev.parley.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ViewportSize;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Writes screenshots of a page to target/console, and requires that no element is wider than the screen. */
final class Screens {
    private static final List<ViewportSize> SIZES = List.of(new ViewportSize(1440, 900), new ViewportSize(390, 844));

    private Screens() {}

    /** Takes screenshots of the page on a desk and on a phone, by day and by night. */
    static void picture(Visit visit, String name) {
        for (ViewportSize size : SIZES) {
            visit.page().setViewportSize(size.width, size.height);
            for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
                visit.page().emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
                pictureAsItIs(
                        visit, name + "-" + size.width + "-" + scheme.name().toLowerCase(Locale.ROOT));
            }
        }
    }

    static void pictureAsItIs(Visit visit, String name) {
        visit.page().screenshot(new Page.ScreenshotOptions().setPath(Path.of("target/console", name + ".png")));
        assertThat((int) visit.page().evaluate("""
            () => Math.max(...[document.documentElement, ...document.querySelectorAll("main, [role=region]")]
                .map((element) => element.scrollWidth - element.clientWidth))\
            """)).as(name + " fits").isZero();
    }
}
