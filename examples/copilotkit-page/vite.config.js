import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react()],
  // The server is told this origin, so it must not move to another port when the port is taken.
  server: { host: "127.0.0.1", port: 5173, strictPort: true },
});
