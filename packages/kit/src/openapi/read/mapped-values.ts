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

/** The schemas with a mapping. Only these get nodes, since a description has hundreds of thousands of values. */
function holdersIn(root: SpecNode): readonly SpecNode[] {
  const holders: SpecNode[] = [];
  const visited = new Set<object>(); // YAML aliases share nodes
  const tokens: string[] = [];
  const visit = (value: object): void => {
    if (visited.has(value)) return;
    visited.add(value);
    for (const [token, member] of Object.entries(value) as [string, unknown][]) {
      if (typeof member !== "object" || member === null) continue;
      if (token === "discriminator" && Object.hasOwn(member, "mapping") && isJsonObject(value)) {
        const holder = tokens.reduce<SpecNode | undefined>((node, each) => node?.child(each), root);
        if (holder !== undefined) holders.push(holder);
      }
      tokens.push(token);
      visit(member);
      tokens.pop();
    }
  };
  visit(root.object);
  return holders;
}

function replaceAt(value: unknown, [token, ...rest]: readonly string[], by: unknown): unknown {
  if (token === undefined) return by;
  if (Array.isArray(value)) return value.with(Number(token), replaceAt(value[Number(token)], rest, by));
  return isJsonObject(value) ? { ...value, [token]: replaceAt(value[token], rest, by) } : value;
}
