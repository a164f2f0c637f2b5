import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import ts from "typescript";
import { parse } from "yaml";

/** The types are written by hand: every one that has the name of a schema must say what the schema says. */
const here = (path) => new URL(path, import.meta.url);
const document = process.env.PARLEY_OPENAPI ?? here("../../../server/src/main/resources/openapi/openapi.yaml");
const { schemas } = parse(readFileSync(document, "utf8")).components;
const declarations = new Map();
for (const file of readdirSync(here("../src/types/"))) {
  const source = ts.createSourceFile(file, readFileSync(here(`../src/types/${file}`), "utf8"), ts.ScriptTarget.ES2022);
  for (const statement of source.statements) {
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
      declarations.set(statement.name.text, statement);
    }
  }
}

const name = (reference) => reference.split("/").at(-1);
const union = (alternatives) => [...new Set(alternatives)].sort().join(" | ");
const arrayOf = (alternatives) => (alternatives.length > 1 ? `(${union(alternatives)})[]` : `${alternatives[0]}[]`);

/** The types that a schema allows. */
function promised(schema) {
  if (schema.$ref !== undefined) {
    return [name(schema.$ref)];
  }
  const several = schema.anyOf ?? schema.oneOf;
  if (several !== undefined) {
    // Where anything goes beside what is named, only what is named can be typed.
    return several.flatMap(promised).map((each) => (each === "unknown" ? "null" : each));
  }
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (values !== undefined) {
    return values.map((value) => JSON.stringify(value));
  }
  const simple = { integer: "number", undefined: "unknown" };
  const of = (type) => (type === "array" ? arrayOf(promised(schema.items)) : (simple[type] ?? type));
  return [schema.type].flat().map(of);
}

/** The types that are written, with names that are no schema's replaced by what they stand for. */
function written(node) {
  if (ts.isUnionTypeNode(node)) {
    return node.types.flatMap(written);
  }
  if (ts.isArrayTypeNode(node)) {
    return [arrayOf(written(node.elementType))];
  }
  if (ts.isParenthesizedTypeNode(node)) {
    return written(node.type);
  }
  if (ts.isLiteralTypeNode(node)) {
    return [node.literal.kind === ts.SyntaxKind.NullKeyword ? "null" : JSON.stringify(node.literal.text)];
  }
  if (ts.isTypeReferenceNode(node)) {
    const given = node.typeName.text;
    if (given === "Record") {
      return ["object"];
    }
    return schemas[given] === undefined ? written(declarations.get(given).type) : [given];
  }
  return [ts.tokenToString(node.kind)];
}

function members(declaration) {
  const inherited = (declaration.heritageClauses ?? []).flatMap((clause) =>
    clause.types.flatMap((each) => members(declarations.get(each.expression.text))),
  );
  const own = declaration.members.map((member) => [
    member.name.text,
    `${member.questionToken === undefined ? "required" : "optional"} ${union(written(member.type))}`,
  ]);
  return [...inherited, ...own];
}

const shared = [...declarations.keys()].filter((each) => schemas[each] !== undefined);

for (const each of shared) {
  test(`${each} is what the server says it is`, () => {
    const { properties, required = [], ...schema } = schemas[each];
    if (properties === undefined) {
      assert.equal(union(written(declarations.get(each).type)), union(promised(schema)));
      return;
    }
    const wanted = Object.entries(properties).map(([member, type]) => [
      member,
      `${required.includes(member) ? "required" : "optional"} ${union(promised(type))}`,
    ]);
    assert.deepEqual(Object.fromEntries(members(declarations.get(each))), Object.fromEntries(wanted));
  });
}

test("no interface is of our own invention, and most schemas of these faces are there", () => {
  // AG-UI says more of its events than our document does.
  const elsewhere = new Set(["Common", "Attributed", "Spoken", "TokenUsage", "Interrupt"]);
  const invented = [...declarations].filter(
    ([each, node]) => ts.isInterfaceDeclaration(node) && schemas[each] === undefined && !elsewhere.has(each),
  );
  assert.deepEqual(invented.map(([each]) => each), []);
  assert.ok(shared.length >= 70, String(shared.length));
});
