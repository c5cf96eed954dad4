import { isJsonObject } from "../../model/index.js";
import { findUnlistedValues } from "./property-values.js";
import { SpecNode, type NodeContext, type SourceFile } from "./spec-node.js";

/** Adds the values that mappings of discriminators name to enums that are not complete. The linter reports them. */
export function addUnlistedValues(files: Map<string, SourceFile>, { find }: Pick<NodeContext, "find">): void {
  const added = new Map<SpecNode["key"], { readonly node: SpecNode; readonly values: Set<string> }>();
  for (const file of files.values()) {
    if (file.overlays === undefined && !file.text.includes("mapping")) continue;
    for (const holder of holdersIn(SpecNode.root(file, { find, report: () => undefined }))) {
      for (const { value, enums } of findUnlistedValues(holder)) {
        for (const node of enums) {
          const { values } = added.get(node.key) ?? { values: new Set() };
          added.set(node.key, { node, values: values.add(value) });
        }
      }
    }
  }
  for (const { node, values } of added.values()) {
    const { path } = node.file;
    const file = files.get(path);
    const list = [...(node.object["enum"] as readonly unknown[]), ...values];
    if (file !== undefined) files.set(path, { ...file, value: replaceAt(file.value, [...node.tokens, "enum"], list) });
  }
}

/** The schemas with a mapping. */
function holdersIn(root: SpecNode): readonly SpecNode[] {
  const holders: SpecNode[] = [];
  const visited = new Set<unknown>(); // YAML aliases share nodes
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (typeof node.raw !== "object" || node.raw === null || visited.has(node.raw)) continue;
    visited.add(node.raw);
    if (node.child("discriminator")?.has("mapping")) holders.push(node);
    for (const child of node.items()) stack.push(child);
    for (const [, child] of node.entries()) stack.push(child);
  }
  return holders;
}

function replaceAt(value: unknown, [token, ...rest]: readonly string[], by: unknown): unknown {
  if (token === undefined) return by;
  if (Array.isArray(value)) return value.with(Number(token), replaceAt(value[Number(token)], rest, by));
  return isJsonObject(value) ? { ...value, [token]: replaceAt(value[token], rest, by) } : value;
}
