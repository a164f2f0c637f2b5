import { ParleyError } from "@parley/client";
import { expect, test } from "vitest";
import { KINDS, readConfig, writeConfig } from "../../src/operator/agents/kinds";
import { faultBeside, faultOf } from "../../src/operator/useAction";

test("a configuration is an object, or says why not", () => {
  expect(readConfig(" ")).toEqual({ config: {} });
  expect(readConfig('{"url": "https://中.example"}')).toEqual({ config: { url: "https://中.example" } });
  expect(readConfig("[1]")).toEqual({ fault: "It must be an object: { … }" });
  expect(readConfig('{"a": }')).toHaveProperty("fault");
  Object.values(KINDS).forEach(({ config }) => expect(readConfig(writeConfig(config))).toEqual({ config }));
});

test("what is wrong with a field is said at the field, and nowhere else", () => {
  const errors = [
    { field: "config.url", message: "is required" },
    { field: "config.model", message: "is too long" },
    { field: "display_name", message: "must have 1 to 200 characters" },
  ];
  const refused = new ParleyError(400, JSON.stringify({ type: "/problems/invalid-fields", errors }), null, false);
  expect(faultOf(refused, "config")).toBe("url is required\nmodel is too long");
  expect(faultOf(refused, "display_name")).toBe("Must have 1 to 200 characters");
  expect(faultOf(refused, "kind")).toBeUndefined();
  expect(faultBeside(refused, "kind", "config")).toBeUndefined();
  expect(faultBeside(refused, "kind")).toBe(refused);
  expect(faultBeside(undefined, "kind")).toBeUndefined();
});
