import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";

test("the examples of the page compile as somebody else's program, strictly", () => {
  const home = fileURLToPath(new URL("../", import.meta.url));
  const page = readFileSync(`${home}README.md`, "utf8");
  const examples = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code);
  assert.ok(examples.length >= 2);
  const given = "declare const token: string;\ndeclare function write(text: string): void;\n";
  const program = `${home}example.ts`;
  const options = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  const text = given + examples.join("\n");
  host.fileExists = (file) => file === program || fileExists(file);
  host.readFile = (file) => (file === program ? text : readFile(file));
  host.getSourceFile = (file, ...rest) =>
    file === program ? ts.createSourceFile(file, text, options.target) : getSourceFile(file, ...rest);
  const found = ts.getPreEmitDiagnostics(ts.createProgram([program], options, host));
  assert.deepEqual(found.map((each) => ts.flattenDiagnosticMessageText(each.messageText, "\n")), []);
});
