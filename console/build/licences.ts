import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const PACKAGE = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//;

/** Puts the licences of all packages that went into the console beside it. */
export function licences(): Plugin {
  return {
    name: "licences",
    apply: "build",
    generateBundle() {
      const folders = new Map<string, string>();
      for (const id of this.getModuleIds()) {
        const found = PACKAGE.exec(id.replaceAll("\\", "/").replace(/^\0/, ""));
        if (found !== null && existsSync(join(found[1]!, "package.json"))) {
          folders.set(found[2]!, found[1]!);
        }
      }
      const texts = [...folders].sort(([one], [other]) => one.localeCompare(other)).map(([, folder]) => about(folder));
      this.emitFile({ type: "asset", name: "licences.txt", source: texts.join(`\n${"-".repeat(80)}\n\n`) });
    },
  };
}

function about(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, string>;
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  return `${name} ${version} (${license})\n\n${file === undefined ? "" : readFileSync(join(folder, file), "utf8")}`;
}
