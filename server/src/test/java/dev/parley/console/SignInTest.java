package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import dev.parley.testing.RunningServer;
import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Servers that require sign-in: by a pasted token, and at an OpenID provider. */
class SignInTest {
    private static OpenIdProvider provider;
    private static RunningServer server;
    private static Chromium chromium;

    private Visit visit;

    @BeforeAll
    static void start() throws Exception {
        PlaywrightAssertions.setDefaultAssertionTimeout(20_000);
        provider = new OpenIdProvider();
        server = RunningServer.start(
                "--jwks-url", provider.keys().toString(),
                "--oidc-issuer", provider.issuer().toString(),
                "--oidc-client-id", OpenIdProvider.CLIENT);
        chromium = Chromium.start();
    }

    @AfterAll
    static void stop() {
        chromium.close();
        server.close();
        provider.close();
    }

    @BeforeEach
    void come() {
        visit = Visit.of(chromium.browser(), URI.create(server.uri() + "/"));
        assertThat(heading()).isVisible();
    }

    @AfterEach
    void leave() {
        visit.close();
    }

    private Locator heading() {
        return visit.page().getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setName("Sign in to Parley"));
    }

    private Locator label() {
        return visit.page().locator(".sidebar-me");
    }

    private void paste(String token) {
        visit.page().getByLabel("Token").fill(token);
        visit.page()
                .getByRole(
                        AriaRole.BUTTON,
                        new Page.GetByRoleOptions().setName("Sign in").setExact(true))
                .click();
    }

    private void signInAtTheProvider() {
        visit.page()
                .getByRole(
                        AriaRole.BUTTON,
                        new Page.GetByRoleOptions()
                                .setName("Sign in with " + provider.issuer().getAuthority()))
                .click();
    }

    @Test
    void aPastedTokenSignsInUntilSignOut() {
        paste("nonsense");
        assertThat(visit.page().getByRole(AriaRole.ALERT).first()).isVisible();

        paste("  " + server.token(UUID.randomUUID(), "Ada 中") + "\n");
        assertThat(label()).hasText("Ada 中");
        visit.page().reload();
        assertThat(label()).hasText("Ada 中");

        visit.page()
                .getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Sign out"))
                .click();
        assertThat(heading()).isVisible();
        assertThat((String) visit.page().evaluate("() => JSON.stringify({...localStorage, ...sessionStorage})"))
                .isEqualTo("{}");
    }

    @Test
    void signInAtTheProviderReturnsToTheSamePage() {
        visit.page().navigate(server.uri() + "/#/operate/agents");
        signInAtTheProvider();

        assertThat(label()).hasText(OpenIdProvider.OLIVIA);
        assertThat(visit.page()
                        .getByRole(
                                AriaRole.HEADING,
                                new Page.GetByRoleOptions().setName("Agents").setExact(true)))
                .isVisible();
        assertThat(visit.page().url()).isEqualTo(server.uri() + "/#/operate/agents");
    }

    @Test
    void anExpiringTokenIsRenewedAndThePageGoesOn() {
        provider.giveTokensFor(2);
        signInAtTheProvider();
        assertThat(label()).hasText(OpenIdProvider.OLIVIA);
        visit.page().evaluate("() => (window.isTheSame = true)");
        await().atMost(Duration.ofSeconds(20)).until(() -> provider.renewed() != null);

        visit.page().waitForFunction("token => sessionStorage['parley.token']?.includes(token)", provider.renewed());
        Request call = visit.page()
                .waitForRequest(
                        request -> request.url().contains("/api/v1/chat/threads"),
                        () -> visit.page().getByLabel("Archived").click());

        assertThat(call.headers().get("authorization")).isEqualTo("Bearer " + provider.renewed());
        assertThat(visit.page().evaluate("() => window.isTheSame")).isEqualTo(true);
    }
}
