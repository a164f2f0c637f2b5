/** One value of a figure, and what it is the value of. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What the server counts and measures, by name. */
export type Figures = ReadonlyMap<string, readonly Sample[]>;

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})?[ \t]+(\S+)(?:[ \t]+-?[0-9]+)?[ \t]*$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g;
const WORDS: Readonly<Record<string, number>> = { "+Inf": Infinity, Inf: Infinity, "-Inf": -Infinity, NaN };

/** Reads the text that Prometheus reads. Comments, and lines that cannot be read, are left out. */
export function parseFigures(text: string): Figures {
  const figures = new Map<string, Sample[]>();
  for (const line of text.split("\n")) {
    const [, name, labels = "", number = ""] = LINE.exec(line) ?? [];
    const value = WORDS[number] ?? Number(number);
    if (name === undefined || (Number.isNaN(value) && number !== "NaN")) {
      continue;
    }
    const samples = figures.get(name) ?? [];
    samples.push({ labels: labelsOf(labels), value });
    figures.set(name, samples);
  }
  return figures;
}

function labelsOf(text: string): Record<string, string> {
  const pairs = [...text.matchAll(LABEL)].map(([, name = "", value = ""]) => [
    name,
    value.replace(/\\(.)/g, (_, escaped: string) => (escaped === "n" ? "\n" : escaped)),
  ]);
  return Object.fromEntries(pairs) as Record<string, string>;
}
