package dev.parley.sdk;

/**
 * A bearer token: a user's JWT, an agent's token or an integration key. {@link #toString} hides the value, so that logs
 * do not show it.
 */
public record Token(String value) {
    @Override
    public String toString() {
        return "Token[hidden]";
    }
}
