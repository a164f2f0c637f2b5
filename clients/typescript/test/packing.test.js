import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const home = new URL("../", import.meta.url);
const read = (path) => readFileSync(new URL(path, home), "utf8");

test("the package holds what is compiled, its licence and its page, and nothing else", () => {
  const options = { cwd: fileURLToPath(home), encoding: "utf8", shell: process.platform === "win32" };
  const said = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts", "--offline"], options);
  const [{ files }] = JSON.parse(said);
  const sources = readdirSync(new URL("src/", home), { recursive: true }).filter((each) => each.endsWith(".ts"));
  const compiled = sources.flatMap((each) => {
    const base = `dist/${each.replaceAll("\\", "/").slice(0, -".ts".length)}`;
    return [`${base}.js`, `${base}.d.ts`];
  });
  assert.deepEqual(files.map((each) => each.path).sort(), [...compiled, "LICENSE", "README.md", "package.json"].sort());
});

test("it depends on nothing, and all that it exports is there", async () => {
  const { dependencies, peerDependencies, exports } = JSON.parse(read("package.json"));
  assert.deepEqual([dependencies, peerDependencies], [undefined, undefined]);
  for (const { types, default: code } of Object.values(exports)) {
    assert.ok(read(types).length > 0);
    assert.ok(Object.keys(await import(new URL(code, home))).length > 0);
  }
});

test("nothing that is compiled knows where it was compiled, or asks for anything of node's", () => {
  for (const each of readdirSync(new URL("dist/", home), { recursive: true }).filter((file) => file.endsWith(".js"))) {
    assert.doesNotMatch(read(`dist/${each}`), /from "(?!\.)|node:|require\(/, each);
  }
});

test("the lock file names no registry", () => {
  assert.doesNotMatch(read("package-lock.json"), /"resolved"|https?:\/\/(?!opencollective|github)[^"]*\.tgz/);
});
