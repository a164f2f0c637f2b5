package dev.parley.protocol.agui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.protocol.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

class JsonPatchTest {
    /** A list of one operation is written without its brackets. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            # RFC 6902, A.1 to A.7
            {"foo":"bar"} | {"op":"add","path":"/baz","value":"qux"} | {"foo":"bar","baz":"qux"}
            {"foo":["bar","baz"]} | {"op":"add","path":"/foo/1","value":"qux"} | {"foo":["bar","qux","baz"]}
            {"baz":"qux","foo":"bar"} | {"op":"remove","path":"/baz"} | {"foo":"bar"}
            {"foo":["bar","qux","baz"]} | {"op":"remove","path":"/foo/1"} | {"foo":["bar","baz"]}
            {"baz":"qux","foo":"bar"} | {"op":"replace","path":"/baz","value":"boo"} | {"baz":"boo","foo":"bar"}
            {"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}} | {"op":"move","from":"/foo/waldo","path":"/qux/thud"} | {"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}
            {"foo":["all","grass","cows","eat"]} | {"op":"move","from":"/foo/1","path":"/foo/3"} | {"foo":["all","cows","eat","grass"]}
            # A.8, A.10, A.11, A.14, A.16
            {"baz":"qux","foo":["a",2,"c"]} | [{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}] | {"baz":"qux","foo":["a",2,"c"]}
            {"foo":"bar"} | {"op":"add","path":"/child","value":{"grandchild":{}}} | {"foo":"bar","child":{"grandchild":{}}}
            {"foo":"bar"} | {"op":"add","path":"/baz","value":"qux","xyz":123} | {"foo":"bar","baz":"qux"}
            {"/":9,"~1":10} | {"op":"test","path":"/~01","value":10} | {"/":9,"~1":10}
            {"foo":["bar"]} | {"op":"add","path":"/foo/-","value":["abc","def"]} | {"foo":["bar",["abc","def"]]}
            # the end of a list, and names that look like indexes
            [1,2] | {"op":"add","path":"/2","value":3} | [1,2,3]
            [] | {"op":"add","path":"/0","value":"x"} | ["x"]
            {"1":0} | {"op":"add","path":"/01","value":1} | {"1":0,"01":1}
            {} | {"op":"add","path":"/-","value":1} | {"-":1}
            {} | {"op":"add","path":"/","value":1} | {"":1}
            {"":{"":1}} | {"op":"remove","path":"//"} | {"":{}}
            {"a/b":1,"c~d":2,"e^f":3} | [{"op":"remove","path":"/a~1b"},{"op":"replace","path":"/c~0d","value":0}] | {"c~d":0,"e^f":3}
            [[1],[2]] | {"op":"replace","path":"/1/0","value":[]} | [[1],[[]]]
            # the whole document
            {"a":1} | {"op":"add","path":"","value":[1]} | [1]
            {"a":1} | {"op":"replace","path":"","value":null} | null
            {"a":1} | {"op":"remove","path":""} | null
            {"a":{"b":[2]}} | {"op":"move","from":"/a/b","path":""} | [2]
            {"a":{"b":[2]}} | {"op":"copy","from":"/a","path":""} | {"b":[2]}
            {"a":1} | {"op":"copy","from":"","path":"/b"} | {"a":1,"b":{"a":1}}
            {"a":1} | {"op":"test","path":"","value":{"a":1}} | {"a":1}
            "x" | {"op":"replace","path":"","value":"y"} | "y"
            # null is a value
            {"a":1} | {"op":"add","path":"/a","value":null} | {"a":null}
            {"a":null} | {"op":"replace","path":"/a","value":true} | {"a":true}
            {"a":null} | {"op":"test","path":"/a","value":null} | {"a":null}
            {"a":null} | {"op":"move","from":"/a","path":"/b"} | {"b":null}
            {"a":null} | {"op":"copy","from":"/a","path":"/b"} | {"a":null,"b":null}
            # numbers are equal by value, members in any order
            {"a":1} | {"op":"test","path":"/a","value":1.0} | {"a":1}
            {"a":1e2} | {"op":"test","path":"/a","value":100} | {"a":1e2}
            {"a":{"x":[1,2.50],"y":null}} | {"op":"test","path":"/a","value":{"y":null,"x":[1.0,2.5]}} | {"a":{"x":[1,2.50],"y":null}}
            # to its own place, and up
            {"a":{"b":1}} | {"op":"move","from":"/a","path":"/a"} | {"a":{"b":1}}
            {"a":{"b":1}} | {"op":"move","from":"/a/b","path":"/a"} | {"a":1}
            {"a":{},"ab":1} | {"op":"move","from":"/ab","path":"/a/ab"} | {"a":{"ab":1}}
            {"a":1,"b":2} | [{"op":"replace","path":"/a","value":{}},{"op":"add","path":"/a/c","value":3}] | {"a":{"c":3},"b":2}
            {} | [] | {}
            """)
    void appliesAndWritesItsMembersInTheirOrder(String document, String patch, String expected) throws CannotPatch {
        assertThat(JsonPatch.apply(tree(document), patch(patch))).hasToString(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            # RFC 6902, A.9, A.12, A.15
            {"baz":"qux"} | {"op":"test","path":"/baz","value":"bar"} | operation 0: the value at path differs
            {"foo":"bar"} | {"op":"add","path":"/baz/bat","value":"qux"} | operation 0: there is no value at its path
            {"/":9,"~1":10} | {"op":"test","path":"/~01","value":"10"} | operation 0: the value at path differs
            # lists
            [1] | {"op":"add","path":"/2","value":3} | operation 0: path is no index of its list
            [1] | {"op":"add","path":"/01","value":3} | operation 0: path is no index of its list
            [1] | {"op":"add","path":"/-1","value":3} | operation 0: path is no index of its list
            [1] | {"op":"add","path":"/+0","value":3} | operation 0: path is no index of its list
            [1] | {"op":"add","path":"/1e0","value":3} | operation 0: path is no index of its list
            [1] | {"op":"add","path":"/","value":3} | operation 0: path is no index of its list
            [1] | {"op":"add","path":"/٠","value":3} | operation 0: path is no index of its list
            [1] | {"op":"add","path":"/4294967296","value":3} | operation 0: path is no index of its list
            [1] | {"op":"add","path":"/99999999999999999999","value":3} | operation 0: path is no index of its list
            [1] | {"op":"replace","path":"/-","value":3} | operation 0: there is no value at its path
            [1] | {"op":"replace","path":"/00","value":3} | operation 0: there is no value at its path
            [1] | {"op":"remove","path":"/1"} | operation 0: there is no value at its path
            [1] | {"op":"remove","path":"/-"} | operation 0: there is no value at its path
            [1] | {"op":"copy","from":"/-","path":"/0"} | operation 0: there is no value at its path
            [[1,2]] | {"op":"add","path":"/0/x/0","value":3} | operation 0: there is no value at its path
            # what is not there
            {} | {"op":"remove","path":"/a"} | operation 0: there is no value at its path
            {} | {"op":"replace","path":"/a","value":1} | operation 0: there is no value at its path
            {} | {"op":"test","path":"/a","value":null} | operation 0: there is no value at its path
            {} | {"op":"move","from":"/a","path":"/b"} | operation 0: there is no value at its path
            {"a":1} | {"op":"add","path":"/a/b","value":1} | operation 0: there is no value at its path
            {"a":"x"} | {"op":"test","path":"/a/0","value":"x"} | operation 0: there is no value at its path
            # into itself
            {"a":{"b":{}}} | {"op":"move","from":"/a","path":"/a/b/c"} | operation 0: a value cannot be moved into itself
            {"a":1} | {"op":"move","from":"","path":"/a"} | operation 0: a value cannot be moved into itself
            # equal only in looks
            {"a":1} | {"op":"test","path":"/a","value":"1"} | operation 0: the value at path differs
            {"a":null} | {"op":"test","path":"/a","value":false} | operation 0: the value at path differs
            {"a":[1,2]} | {"op":"test","path":"/a","value":[2,1]} | operation 0: the value at path differs
            {"a":{}} | {"op":"test","path":"/a","value":[]} | operation 0: the value at path differs
            {"a":{"b":null}} | {"op":"test","path":"/a","value":{"c":null}} | operation 0: the value at path differs
            # not well-formed
            {} | {"path":"/a","value":1} | operation 0: op is missing
            {} | {"op":"spam","path":"/a","value":1} | operation 0: op is no operation of RFC 6902
            {} | {"op":"ADD","path":"/a","value":1} | operation 0: op is no operation of RFC 6902
            {} | {"op":"add","value":1} | operation 0: path is missing
            {} | {"op":"add","path":null,"value":1} | operation 0: path is no text
            {} | {"op":"add","path":"a","value":1} | operation 0: path is no JSON Pointer
            {} | {"op":"add","path":"/~","value":1} | operation 0: path is no JSON Pointer
            {} | {"op":"add","path":"/a"} | operation 0: value is missing
            {"a":1} | {"op":"replace","path":"/a"} | operation 0: value is missing
            {"a":null} | {"op":"test","path":"/a"} | operation 0: value is missing
            {"a":1} | {"op":"copy","path":"/a"} | operation 0: from is missing
            {} | [7] | operation 0: path is missing
            {"a":1} | [{"op":"remove","path":"/a"},{"op":"remove","path":"/a"}] | operation 1: there is no value at its path
            """)
    void inapplicablePatchIsRefusedWithItsReason(String document, String patch, String reason) {
        JsonNode given = tree(document);
        assertThatExceptionOfType(CannotPatch.class)
                .isThrownBy(() -> JsonPatch.apply(given, patch(patch)))
                .withMessage(reason);
        assertThat(given).hasToString(document);
    }

    @Test
    void neitherDocumentNorPatchChangesAndCopiesAreApart() throws CannotPatch {
        JsonNode document = tree("{\"a\":{\"list\":[1]}}");
        ArrayNode patch = patch("""
                [{"op":"add","path":"/new","value":{"list":[]}},
                 {"op":"copy","from":"/a","path":"/b"},
                 {"op":"add","path":"/b/list/0","value":0},
                 {"op":"add","path":"/new/list/-","value":7},
                 {"op":"remove","path":"/a/list/0"}]""");
        String before = patch.toString();

        assertThat(JsonPatch.apply(document, patch))
                .hasToString("{\"a\":{\"list\":[]},\"new\":{\"list\":[7]},\"b\":{\"list\":[0,1]}}");
        assertThat(document).hasToString("{\"a\":{\"list\":[1]}}");
        assertThat(patch).hasToString(before);
    }

    @Test
    void aDocumentCannotBeDoubledWithoutEnd() {
        ArrayNode doubling = patch("[]");
        for (int i = 0; i < 60; i++) {
            doubling.addAll(patch("{\"op\":\"copy\",\"from\":\"/a\",\"path\":\"/a/-\"}"));
        }
        assertThatThrownBy(() -> JsonPatch.apply(tree("{\"a\":[1,2,3]}"), doubling))
                .isInstanceOf(CannotPatch.class)
                .hasMessageContaining("more than 1000000 values");
    }

    /** Otherwise a small patch could keep the server busy with a document that never grows. */
    @Test
    void valuesMovedBackCountAsWell() throws CannotPatch {
        JsonNode document = tree("{\"a\":[" + "1,".repeat(99_999) + "1]}");
        ArrayNode backAndForth = patch("[]");
        for (int i = 0; i < 4; i++) {
            backAndForth.addAll(
                    patch(
                            "[{\"op\":\"move\",\"from\":\"/a\",\"path\":\"/b\"},{\"op\":\"move\",\"from\":\"/b\",\"path\":\"/a\"}]"));
        }
        assertThat(JsonPatch.apply(document, backAndForth)).isEqualTo(document);
        backAndForth.addAll(backAndForth.deepCopy());
        assertThatThrownBy(() -> JsonPatch.apply(document, backAndForth)).isInstanceOf(CannotPatch.class);
    }

    @Test
    void aDocumentIsNotWrappedDeeperThanItCanBeRead() throws CannotPatch {
        String wrapping = """
                {"op":"add","path":"/b","value":{}},{"op":"move","from":"/a","path":"/b/a"},{"op":"move","from":"/b","path":"/a"}""";
        String deep = "[" + (wrapping + ",").repeat(61) + wrapping + "]";
        JsonNode deepest = JsonPatch.apply(tree("{\"a\":1}"), patch(deep));
        assertThat(tree("{\"snapshot\":" + deepest + "}").get("snapshot")).isEqualTo(deepest);
        assertThatThrownBy(() -> JsonPatch.apply(deepest, patch("[" + wrapping + "]")))
                .isInstanceOf(CannotPatch.class)
                .hasMessageContaining("deeper than 63 levels");
    }

    @Test
    void aLongListIsNotMovedAgainAndAgain() {
        ArrayNode list = Json.MAPPER.createArrayNode();
        for (int i = 0; i < 400_000; i++) {
            list.add(0);
        }
        String first = "{\"op\":\"add\",\"path\":\"/0\",\"value\":0},{\"op\":\"remove\",\"path\":\"/0\"}";
        ArrayNode patch = patch("[" + (first + ",").repeat(19_999) + first + "]");
        assertThatThrownBy(() -> JsonPatch.apply(list, patch))
                .isInstanceOf(CannotPatch.class)
                .hasMessageContaining("moves more than 500000000 elements of lists");
    }

    private static ArrayNode patch(String json) {
        return (ArrayNode) tree(json.startsWith("[") ? json : "[" + json + "]");
    }

    private static JsonNode tree(String json) {
        return Json.MAPPER.readTree(json);
    }
}
