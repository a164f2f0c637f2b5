package dev.parley.console;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The browser of this machine. Without a browser, tests fail and say how to install one; they are never skipped. */
public final class Chromium implements AutoCloseable {
    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
    private static final List<String> ELSEWHERE = List.of(
            "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
            "/Applications/Chromium.app/Contents/MacOS/Chromium");

    private final Playwright playwright;
    private final Browser browser;

    private Chromium(Playwright playwright, Browser browser) {
        this.playwright = playwright;
        this.browser = browser;
    }

    public static Chromium start() {
        Path program = find();
        Playwright playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        return new Chromium(
                playwright, playwright.chromium().launch(new BrowserType.LaunchOptions().setExecutablePath(program)));
    }

    private static Path find() {
        Optional<String> given =
                Optional.ofNullable(System.getenv("CHROMIUM_PATH")).filter(path -> !path.isEmpty());
        Stream<String> usual = Stream.concat(
                NAMES.stream()
                        .flatMap(name -> Arrays.stream(Optional.ofNullable(System.getenv("PATH"))
                                        .orElse("")
                                        .split(File.pathSeparator))
                                .map(folder -> folder + "/" + name)),
                ELSEWHERE.stream());
        return given.map(Stream::of)
                .orElse(usual)
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new AssertionError("The console is tested in a browser, and there is none"
                        + given.map(path -> " at CHROMIUM_PATH " + path).orElse("")
                        + ". Install one (on Debian: sudo apt-get install chromium), or set CHROMIUM_PATH."));
    }

    public Browser browser() {
        return browser;
    }

    @Override
    public void close() {
        playwright.close();
    }
}
