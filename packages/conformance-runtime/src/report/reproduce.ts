import type { RunReport } from "../results.js";
import type { Suite } from "../suite.js";
import { quoteShellWord } from "./shell.js";

/** The options of a run that are needed to repeat a case. Without secrets: they come from the environment. */
export interface RunInfo {
  readonly controls?: string | undefined;
  readonly profile?: string | undefined;
}

/** The command that repeats a case. */
export function formatReproduceCommand(id: string, { suite, report, info }: ReproduceContext): string {
  const { controls, profile } = info;
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
    .map(quoteShellWord)
    .join(" ");
}

export interface ReproduceContext {
  readonly suite: Suite;
  readonly report: Pick<RunReport, "seed" | "url">;
  readonly info: RunInfo;
}
