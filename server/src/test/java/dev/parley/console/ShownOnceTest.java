package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Dialogs close only on purpose, and a secret that is shown once is not lost by a slip. */
class ShownOnceTest {
    private static final int BESIDE = 8;

    @RegisterExtension
    static final Desk desk = new Desk();

    @Test
    void aFormClosesByEscapeAndASecretByItsButtonOnly() {
        Visit visit = desk.visit();
        visit.page().navigate(desk.uri() + "#/operate/agents");
        Locator dialog = visit.page().getByRole(AriaRole.DIALOG);

        visit.button("New agent").click();
        assertThat(dialog).hasCount(1);
        dialog.locator("h2").hover();
        visit.page().mouse().down();
        visit.page().mouse().move(BESIDE, BESIDE);
        visit.page().mouse().up();
        assertThat(dialog).hasCount(1);
        visit.page().keyboard().press("Escape");
        assertThat(dialog).hasCount(0);

        visit.button("New agent").click();
        visit.page().getByLabel("Name").fill("信使");
        visit.button("Make it").click();
        visit.button("Tokens").click();
        visit.button("Make a token").click();
        Locator secret = visit.page().locator(".operate-secret");
        assertThat(secret).isVisible();
        for (int press = 0; press < 3; press++) {
            visit.page().keyboard().press("Escape");
        }
        visit.page().mouse().click(BESIDE, BESIDE);
        assertThat(secret).isVisible();

        visit.button("I have kept it").click();
        assertThat(secret).hasCount(0);
    }
}
