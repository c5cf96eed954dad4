import path from "node:path";
import { UnwrittenError } from "../../emit/writer.js";
import { workspace } from "./manifest.js";
import { textOf } from "./reading.js";
import type { Change } from "./telling.js";

/** What a folder's pnpm-workspace.yaml needs to have the generated packages. Throws an UnwrittenError for one that they cannot be added to. */
export async function pnpmWorkspace(folder: string): Promise<readonly Change[]> {
  const { listIn, withItem } = await import("../../spec/yaml-text.js");
  const file = path.join(folder, "pnpm-workspace.yaml");
  const given = await textOf(file);
  const globs = listIn(given ?? "", "packages") ?? [];
  if (globs.some((each) => each === workspace || each === `./${workspace}`)) return [];
  const text = withItem(given ?? "", "packages", workspace);
  if (text !== undefined) return [{ file, text, isNew: given === undefined, added: ["packages"] }];
  const message = `Nothing can be added to its \`packages\`. List ${workspace} there yourself first. Nothing was changed.`;
  throw new UnwrittenError(file, message);
}
