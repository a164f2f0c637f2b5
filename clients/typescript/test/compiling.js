import { fileURLToPath } from "node:url";
import ts from "typescript";

/** The declarations of the language and of the client, which every program needs: parsed once. */
const declarations = new Map();

const home = fileURLToPath(new URL("../", import.meta.url));

/** The errors that the compiler finds in a program of the client's users, under the strictest rules. */
export function errorsIn(text) {
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
  host.fileExists = (file) => file === program || fileExists(file);
  host.readFile = (file) => (file === program ? text : readFile(file));
  host.getSourceFile = (file, ...rest) =>
    file === program ? ts.createSourceFile(file, text, options.target) : declaration(file, () => getSourceFile(file, ...rest));
  const found = ts.getPreEmitDiagnostics(ts.createProgram([program], options, host));
  return found.map((each) => ts.flattenDiagnosticMessageText(each.messageText, "\n"));
}

function declaration(file, parse) {
  if (!declarations.has(file)) {
    declarations.set(file, parse());
  }
  return declarations.get(file);
}
