import path from "node:path";
import { WriteError } from "../../write/writer.js";
import type { FileChange } from "./init-report.js";
import { workspaceGlob } from "./manifest.js";
import { readTextIfExists } from "./read-manifest.js";

/** Plans the change of pnpm-workspace.yaml for generated packages. Throws a WriteError for a file that cannot be edited. */
export async function planPnpmWorkspace(folder: string): Promise<readonly FileChange[]> {
  const { readYamlList: listIn, addYamlListItem: withItem } = await import("@plumbline/kit/openapi");
  const file = path.join(folder, "pnpm-workspace.yaml");
  const args = await readTextIfExists(file);
  const globs = listIn(args ?? "", "packages") ?? [];
  if (globs.some((each) => each === workspaceGlob || each === `./${workspaceGlob}`)) return [];
  const text = withItem(args ?? "", "packages", workspaceGlob);
  if (text !== undefined) return [{ file, text, isNew: args === undefined, added: ["packages"] }];
  const message = `The list \`packages\` cannot be edited. Add ${workspaceGlob} to it first. Nothing was changed.`;
  throw new WriteError(file, message);
}
