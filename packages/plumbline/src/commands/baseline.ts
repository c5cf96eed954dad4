import path from "node:path";
import { compareDescriptions, type ReportedDifference } from "@plumbline/kit/diff";
import type { Api } from "@plumbline/kit/model";
import type { DescriptionResult } from "../pipeline.js";

interface Baseline {
  readonly api: Api;
  readonly locate: DescriptionResult["locate"];
}

/** Compares descriptions with their first version in this process. Paths are relative to `folder`. */
export function compareWithBaseline(
  folder: string,
): (reads: readonly DescriptionResult[]) => readonly ReportedDifference[] {
  const first = new Map<string, Baseline>();
  return (reads) =>
    reads.flatMap(({ config: { description }, folder: descriptionFolder, api, locate }) => {
      const before = first.get(description);
      if (before === undefined) {
        first.set(description, { api, locate });
        return [];
      }
      return compareDescriptions(before.api, api).map((each): ReportedDifference => {
        const { line, column } = (each.side === "old" ? before : { locate }).locate(each.origin);
        const file = path.relative(folder, path.join(descriptionFolder, each.origin.file)).split(path.sep).join("/");
        return { ...each, origin: { file, line, column, pointer: each.origin.pointer } };
      });
    });
}
