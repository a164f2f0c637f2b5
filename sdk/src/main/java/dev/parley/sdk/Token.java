package dev.parley.sdk;

/** A bearer token: a user's JWT, an agent's token or an integration key. Never shows its value in logs. */
public record Token(String value) {
    @Override
    public String toString() {
        return "Token[hidden]";
    }
}
