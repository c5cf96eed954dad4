import path from "node:path";
import type { Given, Terminal } from "../command.js";
import type { TextFile } from "./putting.js";

/** A written file, with its added entries. */
export interface Change extends TextFile {
  readonly isNew: boolean;
  readonly added: readonly string[];
}

export interface Done {
  /** The description, as passed by the user. */
  readonly description: string;
  /** The number of its warnings. */
  readonly warnings: number;
  readonly changes: readonly Change[];
  /** Folders that an existing .gitignore lacks. */
  readonly unignored: readonly string[];
  /** The next commands. */
  readonly next: readonly string[];
}

export function tell(done: Done, given: Given, terminal: Terminal): void {
  const { description, warnings, changes, unignored, next } = done;
  const shown = changes.map((each) => ({ ...each, name: path.relative(terminal.folder, each.file) }));
  if (given.flag("json")) {
    const outcome = {
      written: shown.filter(({ isNew }) => isNew).map(({ name }) => name),
      changed: shown.filter(({ isNew }) => !isNew).map(({ name }) => name),
      added: shown.find(({ name }) => name === "package.json")?.added ?? [],
      unignored,
      next,
    };
    terminal.out.write(`${JSON.stringify(outcome, undefined, 2)}\n`);
    return;
  }
  if (warnings > 0)
    terminal.error.write(
      `${warnings} ${warnings === 1 ? "warning" : "warnings"}; run plumbline lint ${description} for details.\n`,
    );
  for (const { name, isNew, added } of shown) {
    const what = added.length > 0 ? `: ${added.join(", ")}` : "";
    terminal.out.write(`${isNew ? "wrote   " : "changed "} ${name}${what}\n`);
  }
  if (unignored.length > 0) terminal.out.write(`kept     .gitignore, which lacks ${unignored.join(", ")}\n`);
  terminal.out.write(`\nNext:\n${next.map((each) => `  ${each}\n`).join("")}`);
}
