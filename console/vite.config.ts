import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { licences } from "./build/licences";
import { packed } from "./build/packed";

/** Everything is addressed relative to the page, so that the console works under any path. */
export default defineConfig({
  base: "./",
  resolve: {
    alias: { "@parley/client": fileURLToPath(new URL("../clients/typescript/src/index.ts", import.meta.url)) },
  },
  esbuild: { jsx: "automatic" },
  worker: { format: "es" },
  build: {
    outDir: "target/classes/web",
    emptyOutDir: true,
    assetsDir: "console",
    // The server's policy forbids data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
  },
  plugins: [licences(), packed()],
  test: { include: ["test/**/*.test.ts", "test/**/*.test.tsx"] },
});
