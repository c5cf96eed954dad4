import {
  isJsonObject,
  type Assumption,
  type AssumptionDetails,
  type Requirement,
  type Source,
  type SourceRef,
} from "../../model/index.js";
import type { Description } from "../read/load.js";
import { readSource } from "../read/source.js";
import { SpecNode, type SourceFile } from "../read/spec-node.js";
import { definedFields } from "./plain-data.js";

/** Reads `x-source` of a node: its requirements and assumptions. */
export function readSources(place: SpecNode): readonly Source[] {
  return (place.get("x-source")?.items() ?? []).flatMap((item): readonly Source[] => {
    if (typeof item.raw !== "string") return [];
    const assumption = item.assumption(item.raw);
    return [assumption === undefined ? { requirement: item.raw } : { assumption: readAssumption(assumption) }];
  });
}

/** Returns every requirement of the file and every assumption of the description, with the nodes that state it. */
export function traceSources(
  description: Description,
  requirements: SourceFile | undefined,
): { readonly requirements: readonly Requirement[]; readonly assumptions: readonly Assumption[] } {
  const statedAt = new Map<string, Statement[]>();
  for (const file of description.files) {
    if (file.overlays === undefined && !file.text.includes("x-source")) continue;
    for (const { item, holder: node } of sourceItems(
      SpecNode.root(file, { find: () => undefined, report: () => undefined }),
    )) {
      const holder: SourceRef = { ...item.origin, pointer: item.pointer.replace(/\/x-source\/\d+$/, "") };
      const statement: Statement = { origin: holder, isProse: hasProseOnly(node) };
      if (typeof item.raw === "string") statedAt.set(item.raw, [...(statedAt.get(item.raw) ?? []), statement]);
    }
  }
  const assumptions = description.root.get("x-assumptions")?.entries() ?? [];
  return {
    requirements: requirements === undefined ? [] : readRequirements(requirements, statedAt),
    assumptions: assumptions.map(([id, entry]) => ({
      ...readAssumption(entry),
      statedAt: statedAt.get(id)?.map((each) => each.origin) ?? [],
      origin: entry.origin,
    })),
  };
}

/** Reads `requirements.yaml`, a file that the description does not refer to. */
export async function loadRequirements(file: string, folder: string): Promise<SourceFile> {
  return readSource(file, folder);
}

/** A node that states a requirement. */
interface Statement {
  readonly origin: SourceRef;
  readonly isProse: boolean;
}

/** Keys for human readers. `name` is the name of a tag, or of another object that contains only prose. */
const proseKeys: ReadonlySet<string> = new Set([
  "$comment",
  "description",
  "externalDocs",
  "name",
  "summary",
  "title",
  "x-source",
]);

/** True if a node contains only prose. A response without content still states its status code, which is its key. */
function hasProseOnly(node: SpecNode): boolean {
  return Object.keys(node.object).every((key) => proseKeys.has(key)) && !/\/responses\/[^/]+$/.test(node.pointer);
}

function readRequirements(
  file: SourceFile,
  statedAt: ReadonlyMap<string, readonly Statement[]>,
): readonly Requirement[] {
  const root = SpecNode.root(file, { find: () => undefined, report: () => undefined });
  const requirements: Requirement[] = [];
  for (const [document, described] of root.get("documents")?.entries() ?? []) {
    for (const [section, entries] of described.get("sections")?.entries() ?? []) {
      for (const [id, entry] of entries.entries()) {
        const open = entry.text("open");
        const statements = statedAt.get(id) ?? [];
        requirements.push({
          id,
          document: described.text("title") ?? document,
          section,
          line: entry.number("line") ?? 0,
          text: open ?? entry.text("says") ?? "",
          open: open !== undefined,
          statedAt: statements.map((each) => each.origin),
          isProseOnly: statements.length > 0 && statements.every((each) => each.isProse),
          origin: entry.origin,
        });
      }
    }
  }
  return requirements;
}

function readAssumption(entry: SpecNode): AssumptionDetails {
  return definedFields<AssumptionDetails>({
    id: entry.name,
    text: entry.text("says") ?? "",
    because: entry.text("because") ?? "",
    settles: entry.text("settles"),
    unsourced: entry.isTrue("unsourced") ? true : undefined,
  });
}

interface SourceItem {
  readonly item: SpecNode;
  /** The node that contains the `x-source`. */
  readonly holder: SpecNode;
}

/** Returns every item of every `x-source` below a node, in order. Nodes that YAML aliases share are visited once. */
function sourceItems(root: SpecNode): readonly SourceItem[] {
  const items: SourceItem[] = [];
  const visited = new Set<unknown>();
  const visit = (place: SpecNode): void => {
    if (typeof place.raw !== "object" || place.raw === null || visited.has(place.raw)) return;
    visited.add(place.raw);
    if (isJsonObject(place.raw)) {
      for (const [key, child] of place.entries()) {
        if (key === "x-source") items.push(...child.items().map((item) => ({ item, holder: place })));
        else visit(child);
      }
      return;
    }
    place.items().forEach(visit);
  };
  visit(root);
  return items;
}
