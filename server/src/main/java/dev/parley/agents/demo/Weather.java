package dev.parley.agents.demo;

import dev.parley.agents.Turn;
import dev.parley.protocol.Json;
import dev.parley.protocol.agui.Content;
import dev.parley.protocol.agui.ToolEvent;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Invented weather of a city, always the same for the same city. */
record Weather(String city, String sky, int celsius, int humidity, int wind) {
    private static final Pattern QUESTION =
            Pattern.compile("weather\\s++in\\s++", Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CHARACTER_CLASS);
    private static final String TRAILING_MARKS = "?!？！؟";
    private static final List<String> SKIES =
            List.of("sunny", "cloudy", "light rain", "heavy rain", "fog", "snow", "thunderstorms", "clear skies");

    /** The city after "weather in"; empty if the text begins otherwise or names no city. */
    static Optional<String> cityIn(String text) {
        Matcher question = QUESTION.matcher(text);
        if (!question.lookingAt()) {
            return Optional.empty();
        }
        int end = text.length();
        while (end > question.end()
                && (TRAILING_MARKS.indexOf(text.charAt(end - 1)) >= 0
                        || Character.isWhitespace(text.charAt(end - 1)))) {
            end--;
        }
        return Optional.of(text.substring(question.end(), end)).filter(city -> !city.isEmpty());
    }

    static Weather in(String city) {
        String name = Normalizer.normalize(city, Normalizer.Form.NFC).toLowerCase(Locale.ROOT);
        Random random = new Random(name.hashCode());
        return new Weather(
                city,
                SKIES.get(random.nextInt(SKIES.size())),
                random.nextInt(46) - 10,
                20 + random.nextInt(80),
                random.nextInt(60));
    }

    static void tell(Turn turn, String argument, DemoVoice voice) throws InterruptedException {
        Weather weather = in(cityIn(argument).orElse(argument));
        voice.enter(DemoStage.INTENT);
        String call = voice.call(
                "get_weather",
                Json.MAPPER.createObjectNode().put("city", weather.city).toString());
        voice.leave(DemoStage.INTENT);
        Hints hints = weather.hints();
        voice.enter(DemoStage.TOOL_EXECUTION);
        Content result = new Content.Text(weather.json());
        voice.emit(new ToolEvent.Result(voice.newId(), call, result, "tool", null, hints.ofResult()));
        voice.leave(DemoStage.TOOL_EXECUTION);
        voice.answer("The weather in " + weather.city + ": " + weather.inShort() + ".", hints.ofAnswer());
    }

    private String inShort() {
        return sky + ", " + celsius + " °C";
    }

    private String json() {
        return Json.MAPPER
                .createObjectNode()
                .put("city", city)
                .put("sky", sky)
                .put("temperature_c", celsius)
                .put("humidity_percent", humidity)
                .put("wind_kmh", wind)
                .toString();
    }

    private Hints hints() {
        return new Hints(
                Hints.Status.SUCCESS,
                "Weather in " + city,
                inShort(),
                List.of(
                        new Hints.Item("Temperature", celsius + " °C"),
                        new Hints.Item("Humidity", humidity + " %"),
                        new Hints.Item("Wind", wind + " km/h")));
    }
}
