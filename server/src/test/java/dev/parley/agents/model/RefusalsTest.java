package dev.parley.agents.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RefusalsTest {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-16T12:00:00Z"), ZoneOffset.UTC);

    private static final Refusals.Address ADDRESS = new Refusals.Address("/chat/completions", true);

    @ParameterizedTest
    @CsvSource({
        "400,bad,model_refused_request,false",
        "400,API key not valid. Please pass a valid API key.,model_unauthorized,false",
        "400,the response was filtered: content_filter,content_filtered,false",
        "413,request_too_large,context_too_long,false",
        "422,nonsense,model_refused_request,false",
        "418,teapot,model_refused_request,false",
        "401,stranger,model_unauthorized,false",
        "404,nowhere,model_address_not_found,false",
        "405,not here,model_address_not_found,false",
        "408,slow,model_overloaded,true",
        "409,busy,model_overloaded,true",
        "429,slow down,model_rate_limited,true",
        "429,insufficient_quota,model_rate_limited,false",
        "500,oops,model_overloaded,true",
        "529,crowded,model_overloaded,true",
        "204,nothing,model_protocol,false",
        "307,elsewhere,model_protocol,false",
    })
    void statusAndTextGiveACode(int status, String body, String code, boolean again) {
        ModelFailure failure = Refusals.of(status, body, null, ADDRESS);
        assertThat(failure.code()).isEqualTo(code);
        assertThat(failure.mayBeRetried()).isEqualTo(again);
        assertThat(failure.sentence()).endsWith(".").doesNotContain(body);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'error':{'message':'The model `x` does not exist or you do not have access to it.',"
                        + "'type':'invalid_request_error','param':null,'code':'model_not_found'}}",
                "{'type':'error','error':{'type':'not_found_error','message':'model: claude-x'}}",
                "{'error':{'code':404,'message':'models/x is not found for API version v1beta, or is not supported"
                        + " for generateContent.','status':'NOT_FOUND'}}",
                "{'error':'model \"x\" not found, try pulling it first'}",
                "{'object':'error','message':'The model `x` does not exist.','type':'NotFoundError','code':404}",
                "{'error':{'message':'No endpoints found for vendor/x.','code':404}}",
                "{'error':'model \"llama3.2:1b\" not found, try pulling it first'}",
                "{'object':'error','message':'The model `Qwen/Qwen2.5-7B` does not exist.','type':'NotFoundError'}",
                "{'error':{'code':404,'message':'models/gemini-1.5-foo is not found for API version v1beta.'}}",
            })
    void notFoundThatNamesTheModel_isTheModels(String body) {
        assertThat(Refusals.of(404, body.replace('\'', '"'), null, ADDRESS).code())
                .isEqualTo("model_not_found");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "404 page not found",
                "<html><head><title>404 Not Found</title></head>The model is not found</html>",
                "{'detail':'Not Found'}",
                "{'type':'error','error':{'type':'not_found_error','message':'Not Found'}}",
                "{'error':{'message':'Invalid URL (POST /chat/completions)','type':'invalid_request_error'}}",
            })
    void notFoundThatNamesNoModel_isTheAddress(String body) {
        ModelFailure failure = Refusals.of(404, body.replace('\'', '"'), null, ADDRESS);
        assertThat(failure.code()).isEqualTo("model_address_not_found");
        assertThat(failure.sentence()).contains("/chat/completions", "base_url", "/v1", "model's name");
        assertThat(Refusals.of(404, body, null, new Refusals.Address("/messages", false))
                        .code())
                .as("the provider's own address cannot be misconfigured")
                .isEqualTo("model_not_found");
    }

    @Test
    void retryAfterIsSecondsOrADate() {
        assertThat(Refusals.after(null, CLOCK)).isNull();
        assertThat(Refusals.after("7", CLOCK)).isEqualTo(Duration.ofSeconds(7));
        assertThat(Refusals.after("Mon, 16 Nov 2026 12:00:09 GMT", CLOCK)).isEqualTo(Duration.ofSeconds(9));
        assertThat(Refusals.after("Mon, 16 Nov 2026 11:00:00 GMT", CLOCK)).isEqualTo(Duration.ZERO);
        assertThat(Refusals.after("soon", CLOCK)).isNull();
        assertThat(Refusals.after("-1", CLOCK)).isNull();
    }

    @Test
    void waitsGrowVaryAndEnd() {
        for (int i = 0; i < 100; i++) {
            assertThat(RetryDelay.before(2, null)).isBetween(Duration.ofMillis(250), Duration.ofMillis(750));
            assertThat(RetryDelay.before(3, null)).isBetween(Duration.ofMillis(500), Duration.ofMillis(1_500));
            assertThat(RetryDelay.before(2, Duration.ofSeconds(30)))
                    .isBetween(Duration.ofSeconds(30), Duration.ofMillis(30_500));
        }
        assertThat(RetryDelay.before(2, Duration.ofSeconds(31))).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            value = {
                "{'message':'Your messages resulted in 142901 tokens'};model_overloaded",
                "{'message':'maximum context length exceeded by 429 tokens','code':429};context_too_long",
                "{'code':429,'message':'slow down'};model_rate_limited",
                "{'code':400,'status':'INVALID_ARGUMENT','message':'rate_limit 429'};model_refused_request",
                "{'status':'RESOURCE_EXHAUSTED'};model_rate_limited",
                "{'type':'rate_limit_error','message':'invalid_request'};model_rate_limited",
                "{'type':'overloaded_error','message':'429'};model_overloaded",
                "{'type':'invalid_request_error','message':'1,429 things'};model_refused_request",
                "'Error 429: slow down';model_rate_limited",
                "'1,429 things and 429.5 and 4290';model_overloaded",
            })
    void anErrorInAStreamIsJudgedByItsMembersFirst(String error, String code) {
        assertThat(Refusals.inStream(Json.MAPPER.readTree(error.replace('\'', '"')))
                        .code())
                .isEqualTo(code);
    }
}
