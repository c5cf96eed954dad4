import { isJsonObject } from "@plumbline/kit/model";

/** A reference to another file. */
export interface RemoteReference {
  /** The unescaped pointer tokens of its `$ref`. */
  readonly tokens: readonly string[];
  /** The text before the `#`. */
  readonly fileName: string;
}

/** Finds the references to other files, in the order of the text. Those in extension fields do not count. */
export function findReferences(value: unknown): readonly RemoteReference[] {
  const references: RemoteReference[] = [];
  const visited = new Set<unknown>(); // YAML aliases share nodes
  const visit = (node: unknown, tokens: readonly string[]): void => {
    if (typeof node !== "object" || node === null || visited.has(node)) return;
    visited.add(node);
    for (const [key, child] of Object.entries(node)) {
      if (key === "$ref" && typeof child === "string" && isJsonObject(node)) {
        const fileName = fileNameOf(child);
        if (fileName !== "") references.push({ tokens: [...tokens, key], fileName });
      } else if (!key.startsWith("x-")) visit(child, [...tokens, key]);
    }
  };
  visit(value, []);
  return references;
}

/**
 * Changes the file names of references in a text, and nothing else. Returns undefined where a reference is written in a way that the
 * text search does not find.
 */
export function rewriteReferences({
  text,
  value,
  rename,
}: {
  readonly text: string;
  readonly value: unknown;
  readonly rename: (fileName: string) => string;
}): string | undefined {
  const names = new Map(findReferences(value).map(({ fileName }) => [fileName, rename(fileName)] as const));
  const changed = new Map([...names].filter(([before, after]) => normalize(before) !== after));
  if (changed.size === 0) return text;
  const replaced = new Set<string>();
  const rewritten = text.replaceAll(referencePattern, (all, start: string, written: string) => {
    const fileName = written.replaceAll("\\/", "/");
    const name = changed.get(fileName);
    if (name === undefined) return all;
    replaced.add(fileName);
    return `${start}${name}`;
  });
  return replaced.size === changed.size ? rewritten : undefined;
}

/** The key `$ref` in JSON or YAML, and the text of its value before the `#`. */
const referencePattern = /(["']?\$ref["']?\s*:\s*["']?)([^"'\s#,}]+)/g;

function normalize(fileName: string): string {
  return fileName.replace(/^\.\//, "");
}

function fileNameOf(reference: string): string {
  return reference.split("#")[0] ?? "";
}
