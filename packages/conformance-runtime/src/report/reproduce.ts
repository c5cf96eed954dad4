import type { RunReport } from "../results.js";
import type { Suite } from "../suite.js";
import { quoted } from "./shell.js";

/** How a run was asked for, as far as one needs it to run a case again. No secrets: these come from the environment. */
export interface RunFacts {
  readonly controls?: string;
  readonly profile?: string;
}

/** The one command that runs a case again as it ran. */
export function reproduce(id: string, { suite, report, facts }: Reproduced): string {
  const { controls, profile } = facts;
  return [
    suite.command,
    "run",
    ["--only", id],
    ["--seed", String(report.seed)],
    ["--url", report.url],
    controls === undefined ? [] : ["--controls", controls],
    profile === undefined ? [] : ["--profile", profile],
  ]
    .flat()
    .map(quoted)
    .join(" ");
}

export interface Reproduced {
  readonly suite: Suite;
  readonly report: RunReport;
  readonly facts: RunFacts;
}
