import type { ComponentType } from "react";
import { Agents } from "./agents/Agents";
import { Audit } from "./Audit";
import { DeadLetters } from "./DeadLetters";
import { FiguresPage } from "./figures/FiguresPage";
import { Integrations } from "./integrations/Integrations";
import { Nodes } from "./nodes/Nodes";
import { Webhooks } from "./webhooks/Webhooks";

/** One of the pages, by the name that its address has. */
export interface Section {
  section: string;
  title: string;
  /** Whether the server answers only operators there. */
  operators: boolean;
  Page: ComponentType;
}

const SECTIONS: readonly Section[] = [
  { section: "figures", title: "Figures", operators: true, Page: FiguresPage },
  { section: "nodes", title: "Nodes", operators: true, Page: Nodes },
  { section: "agents", title: "Agents", operators: false, Page: Agents },
  { section: "webhooks", title: "Webhooks", operators: false, Page: Webhooks },
  { section: "integrations", title: "Integrations", operators: true, Page: Integrations },
  { section: "dead-letters", title: "Dead letters", operators: true, Page: DeadLetters },
  { section: "audit", title: "Audit", operators: true, Page: Audit },
];

/** The pages that somebody may see. */
export function pagesFor(isOperator: boolean): Section[] {
  return SECTIONS.filter((each) => isOperator || !each.operators);
}
