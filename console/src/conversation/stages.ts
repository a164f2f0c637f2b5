/** A stage's name as words; the usual one, in which answers are made, goes without saying. */
export const stageLabel = (stage: string | undefined): string | undefined =>
  stage === undefined || stage === "execution" ? undefined : stage.replaceAll("_", " ");
