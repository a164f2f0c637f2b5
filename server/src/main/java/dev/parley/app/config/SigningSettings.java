package dev.parley.app.config;

import org.jspecify.annotations.Nullable;

/** The secrets that sign the URLs of objects; without a configured secret the server creates one. */
public record SigningSettings(
        @Nullable Secret secret, @Nullable Secret previousSecret) {
    static SigningSettings read(GivenSettings given) {
        SigningSettings signing =
                new SigningSettings(given.find(Settings.SIGNING_SECRET), given.find(Settings.SIGNING_SECRET_PREVIOUS));
        if (signing.previousSecret != null && signing.secret == null) {
            throw new ConfigException(
                    "signing-secret-previous is set, but signing-secret is not: set the current secret too.");
        }
        return signing;
    }
}
