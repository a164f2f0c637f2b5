package dev.parley.agents.model;

import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Gives the library the exchange as its HTTP client. The library's timeouts are ignored, because the exchange has
 * timeouts of its own.
 */
record ExchangeBuilder(ModelExchange exchange) implements HttpClientBuilder {
    @Override
    public @Nullable Duration connectTimeout() {
        return null;
    }

    @Override
    public HttpClientBuilder connectTimeout(Duration ignored) {
        return this;
    }

    @Override
    public @Nullable Duration readTimeout() {
        return null;
    }

    @Override
    public HttpClientBuilder readTimeout(Duration ignored) {
        return this;
    }

    @Override
    public HttpClient build() {
        return exchange;
    }
}
