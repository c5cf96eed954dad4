import type { RunReport } from "../results.js";
import type { Suite } from "../suite.js";
import { quoted } from "./shell.js";

/** The options of a run that are needed to repeat a case. Without secrets: they come from the environment. */
export interface RunFacts {
  readonly controls?: string;
  readonly profile?: string;
}

/** The command that repeats a case. */
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
