import type { AgentKind, JsonObject } from "@parley/client";

/** The kinds of agents, with the configuration that a new one begins with: its required members, to be filled in. */
export const KINDS: Record<AgentKind, { words: string; hint: string; config: JsonObject }> = {
  external: { words: "external", hint: "A program of yours that calls with a token of its own.", config: {} },
  agui: { words: "AG-UI", hint: "An agent elsewhere that speaks AG-UI.", config: { url: "https://" } },
  model: {
    words: "model",
    hint: "A language model that this server calls. Keys are named, never written here: ${secret:OPENAI_KEY} is the setting PARLEY_SECRET_OPENAI_KEY.",
    config: { provider: "openai", model: "", api_key: "${secret:OPENAI_KEY}", instructions: "" },
  },
  demo: { words: "demo", hint: "The built-in agent that shows everything without a key.", config: {} },
};

export type ReadConfig = { config: JsonObject } | { fault: string };

/** Reads a configuration as somebody typed it. Nothing at all is an empty one. */
export function readConfig(text: string): ReadConfig {
  if (text.trim() === "") {
    return { config: {} };
  }
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
      ? { config: parsed as JsonObject }
      : { fault: "It must be an object: { … }" };
  } catch (error) {
    return { fault: `This is no JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

export const writeConfig = (config: JsonObject): string => JSON.stringify(config, null, 2);
