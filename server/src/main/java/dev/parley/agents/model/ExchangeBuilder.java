package dev.parley.agents.model;

import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The builder from which the library takes its client. Its timeouts are ignored: the exchange has its own. */
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
