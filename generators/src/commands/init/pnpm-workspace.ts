import path from "node:path";
import { UnwrittenError } from "../../emit/writer.js";
import { workspace } from "./manifest.js";
import { textOf } from "./reading.js";
import type { Change } from "./telling.js";

/** Plans the change of pnpm-workspace.yaml for generated packages. Throws an UnwrittenError for a file that cannot be edited. */
export async function pnpmWorkspace(folder: string): Promise<readonly Change[]> {
  const { listIn, withItem } = await import("../../spec/yaml-text.js");
  const file = path.join(folder, "pnpm-workspace.yaml");
  const given = await textOf(file);
  const globs = listIn(given ?? "", "packages") ?? [];
  if (globs.some((each) => each === workspace || each === `./${workspace}`)) return [];
  const text = withItem(given ?? "", "packages", workspace);
  if (text !== undefined) return [{ file, text, isNew: given === undefined, added: ["packages"] }];
  const message = `The list \`packages\` cannot be edited. Add ${workspace} to it first. Nothing was changed.`;
  throw new UnwrittenError(file, message);
}
