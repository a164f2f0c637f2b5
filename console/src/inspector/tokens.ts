import type { RunEvent, RunUsage, RunView } from "@parley/client";

/** The tokens of one request to a model, none counted twice. */
export interface TokenParts {
  fresh: number;
  cached: number;
  output: number;
  reasoning: number;
}

export const PART_NAMES: Record<keyof TokenParts, string> = {
  fresh: "Input",
  cached: "Cached input",
  output: "Output",
  reasoning: "Reasoning",
};

export const PARTS = Object.keys(PART_NAMES) as (keyof TokenParts)[];

/** Providers count what was cached among the input, and what was thought among the output. */
export function partsOf(usage: RunUsage): TokenParts {
  const cached = usage.cachedTokens ?? 0;
  const reasoning = usage.reasoningTokens ?? 0;
  return {
    fresh: Math.max(0, (usage.inputTokens ?? 0) - cached),
    cached,
    output: Math.max(0, (usage.outputTokens ?? 0) - reasoning),
    reasoning,
  };
}

export const sumOf = (parts: TokenParts): number => PARTS.reduce((sum, part) => sum + parts[part], 0);

export const tokensOf = (usage: readonly RunUsage[]): number =>
  usage.reduce((sum, each) => sum + sumOf(partsOf(each)), 0);

/** What requests cost, by currency; those without a price cost nothing that is known. */
export function costsOf(usage: readonly RunUsage[]): Map<string, number> {
  const costs = new Map<string, number>();
  for (const { cost, currency } of usage) {
    if (cost !== null) {
      costs.set(currency ?? "", (costs.get(currency ?? "") ?? 0) + cost);
    }
  }
  return costs;
}

/** Small amounts with all the digits that matter. */
export function costText(cost: number, currency: string | null): string {
  const amount = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 4 }).format(cost);
  return currency === null || currency === "" ? amount : `${amount} ${currency}`;
}

export const countText = (count: number): string => new Intl.NumberFormat().format(count);

/** What the server noted for a run; of an agent that runs elsewhere, what it told itself as it ended. */
export function usageOf(run: RunView, last: RunEvent | undefined): RunUsage[] {
  if (run.usage.length > 0 || last === undefined || !(last.type === "RUN_FINISHED" || last.type === "RUN_ERROR")) {
    return run.usage;
  }
  return (last.usage ?? []).map((each, request) => ({
    request,
    provider: each.provider ?? "",
    model: each.model ?? "",
    inputTokens: each.inputTokens ?? null,
    outputTokens: each.outputTokens ?? null,
    cachedTokens: each.cachedInputTokens ?? null,
    reasoningTokens: each.reasoningTokens ?? null,
    cost: null,
    currency: null,
  }));
}
