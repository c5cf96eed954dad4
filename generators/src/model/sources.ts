import type { Description } from "../spec/load.js";
import { readSource } from "../spec/source.js";
import { isObject } from "../json.js";
import { Place, type SourceFile } from "../spec/place.js";
import type { Assumption, Choice, Requirement, Source } from "./api.js";
import type { Origin } from "../problem.js";

/** The requirements and assumptions that a node names. */
export function readSources(place: Place): readonly Source[] {
  return (place.get("x-source")?.items() ?? []).flatMap((item): readonly Source[] => {
    if (typeof item.raw === "string") return [{ requirement: item.raw }];
    const choice = readChoice(item);
    return choice === undefined ? [] : [{ assumption: choice }];
  });
}

/** Every requirement of the file, with the places that name it; and every assumption of the description. */
export function traceSources(
  description: Description,
  requirements: SourceFile | undefined,
): { readonly requirements: readonly Requirement[]; readonly assumptions: readonly Assumption[] } {
  const statedAt = new Map<string, Origin[]>();
  const assumptions: Assumption[] = [];
  for (const file of description.files) {
    if (file.overlaid === undefined && !file.text.includes("x-source")) continue;
    for (const item of sourceItems(Place.root(file, { find: () => undefined, report: () => undefined }))) {
      const holder: Origin = { ...item.origin, pointer: item.pointer.replace(/\/x-source\/\d+$/, "") };
      if (typeof item.raw === "string") statedAt.set(item.raw, [...(statedAt.get(item.raw) ?? []), holder]);
      const choice = readChoice(item);
      if (choice !== undefined) assumptions.push({ ...choice, origin: holder });
    }
  }
  return { requirements: requirements === undefined ? [] : readRequirements(requirements, statedAt), assumptions };
}

/** Reads `requirements.yaml` as a file that the description does not refer to. */
export async function loadRequirements(file: string, folder: string): Promise<SourceFile> {
  return readSource(file, folder);
}

function readRequirements(file: SourceFile, statedAt: ReadonlyMap<string, readonly Origin[]>): readonly Requirement[] {
  const root = Place.root(file, { find: () => undefined, report: () => undefined });
  const found: Requirement[] = [];
  for (const [document, described] of root.get("documents")?.entries() ?? []) {
    for (const [section, entries] of described.get("sections")?.entries() ?? []) {
      for (const [id, entry] of entries.entries()) {
        const open = entry.text("open");
        found.push({
          id,
          document: described.text("title") ?? document,
          section,
          line: entry.number("line") ?? 0,
          says: open ?? entry.text("says") ?? "",
          open: open !== undefined,
          statedAt: statedAt.get(id) ?? [],
          origin: entry.origin,
        });
      }
    }
  }
  return found;
}

function readChoice(item: Place): Choice | undefined {
  const assumed = item.text("assumed");
  if (assumed === undefined) return undefined;
  const settles = item.text("settles");
  return { assumed, because: item.text("because") ?? "", ...(settles === undefined ? {} : { settles }) };
}

/** Every item of every `x-source` below a place, in order; nodes that YAML aliases share are visited once. */
function sourceItems(root: Place): readonly Place[] {
  const found: Place[] = [];
  const visited = new Set<unknown>();
  const visit = (place: Place): void => {
    if (typeof place.raw !== "object" || place.raw === null || visited.has(place.raw)) return;
    visited.add(place.raw);
    if (isObject(place.raw)) {
      for (const [key, child] of place.entries()) {
        if (key === "x-source") found.push(...child.items());
        else visit(child);
      }
      return;
    }
    place.items().forEach(visit);
  };
  visit(root);
  return found;
}
