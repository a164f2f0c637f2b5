package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An agent asks for an approval, and the user answers by a button. */
class ApprovalTest {
    @RegisterExtension
    static final Desk desk = new Desk();

    private final Visit visit = desk.visit();

    private static Locator button(Locator notice, String name) {
        return notice.getByRole(
                AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true));
    }

    @Test
    void approvalInOneWindowShowsInTheOther() {
        visit.send("/approve Shall I?");
        Locator question = visit.notice("question");
        assertThat(question).containsText("Shall I?");
        visit.awaitQuiet();
        Visit second = visit.secondTab();
        assertThat(button(second.notice("question"), "Approve")).isVisible();

        button(question, "Approve").click();

        assertThat(visit.lastText()).hasText("Approved: Shall I?");
        assertThat(second.lastText()).hasText("Approved: Shall I?");
        visit.awaitQuiet();
        assertThat(button(question, "Approve")).hasCount(0);
        assertThat(button(second.notice("question"), "Approve")).hasCount(0);
        visit.page().reload();
        assertThat(question).containsText("Answered");
        assertThat(button(question, "Approve")).hasCount(0);
    }

    @Test
    void approvalCanBeDeclinedAfterAReload() {
        visit.send("/approve Delete everything?");
        assertThat(visit.notice("question")).containsText("Delete everything?");
        visit.awaitQuiet();
        visit.page().reload();

        button(visit.notice("question"), "Decline").click();

        assertThat(visit.lastText()).hasText("Declined: Delete everything?");
        visit.awaitQuiet();
        assertThat(button(visit.notice("question"), "Decline")).hasCount(0);
    }

    @Test
    void aFailedRunIsRetriedByAButton() {
        visit.send("/fail");
        assertThat(visit.notice("failed")).containsText("demo_failure");
        visit.awaitQuiet();

        button(visit.notice("failed"), "Retry").click();

        assertThat(visit.texts()).hasText(new String[] {"/fail", "About to", "About to"});
        assertThat(visit.notice("failed").last()).containsText("demo_failure");
        assertThat(visit.messages().nth(1)).containsText("Replaced by a later answer");
        visit.awaitQuiet();
    }
}
