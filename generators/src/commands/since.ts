import path from "node:path";
import { differences } from "../diff/differences.js";
import type { Told } from "../difference-report.js";
import type { Read } from "../generate.js";
import { untouchedSince } from "../model/untouched.js";
import type { Api } from "../model/api.js";

interface First {
  readonly api: Api;
  /** A copy: later models share objects with the first one. */
  readonly copy: Api;
  readonly locate: Read["locate"];
}

/** Compares descriptions with their first version in this process. Paths are relative to `folder`. */
export function sinceFirst(folder: string): (reads: readonly Read[]) => readonly Told[] {
  const first = new Map<string, First>();
  return (reads) =>
    reads.flatMap(({ config: { description }, folder: own, api, locate }) => {
      const before = first.get(description);
      if (before === undefined) {
        first.set(description, { api, copy: structuredClone(api), locate });
        return [];
      }
      return differences(before.copy, api, untouchedSince(before.api, api)).map((each): Told => {
        const { line, column } = (each.side === "old" ? before : { locate }).locate(each.origin);
        const file = path.relative(folder, path.join(own, each.origin.file)).split(path.sep).join("/");
        return { ...each, origin: { file, line, column, pointer: each.origin.pointer } };
      });
    });
}
