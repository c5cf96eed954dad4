import path from "node:path";
import type { CommandIo } from "../command.js";
import type { FileText } from "./atomic-write.js";

/** A written file, with its added entries. */
export interface FileChange extends FileText {
  readonly isNew: boolean;
  readonly added: readonly string[];
}

export interface InitResult {
  /** The description, as passed by the user. */
  readonly description: string;
  /** The number of its warnings. */
  readonly warnings: number;
  readonly changes: readonly FileChange[];
  /** Folders that an existing .gitignore lacks. */
  readonly unignored: readonly string[];
  /** The next commands. */
  readonly next: readonly string[];
}

export function reportInit(
  { description, warnings, changes, unignored, next }: InitResult,
  format: "json" | "text",
  io: CommandIo,
): void {
  const files = changes.map((each) => ({ ...each, name: path.relative(io.folder, each.file) }));
  if (format === "json") {
    const outcome = {
      written: files.filter(({ isNew }) => isNew).map(({ name }) => name),
      changed: files.filter(({ isNew }) => !isNew).map(({ name }) => name),
      added: files.find(({ name }) => name === "package.json")?.added ?? [],
      unignored,
      next,
    };
    io.stdout.write(`${JSON.stringify(outcome, undefined, 2)}\n`);
    return;
  }
  if (warnings > 0)
    io.stderr.write(
      `${warnings} ${warnings === 1 ? "warning" : "warnings"}; run plumbline lint ${description} for details.\n`,
    );
  for (const { name, isNew, added } of files) {
    const what = added.length > 0 ? `: ${added.join(", ")}` : "";
    io.stdout.write(`${isNew ? "wrote   " : "changed "} ${name}${what}\n`);
  }
  if (unignored.length > 0) io.stdout.write(`kept     .gitignore, which lacks ${unignored.join(", ")}\n`);
  io.stdout.write(`\nNext:\n${next.map((each) => `  ${each}\n`).join("")}`);
}
