import { isJsonArray, isJsonObject, type Json } from "@plumbline/kit/model";
import type { SuiteCoverage } from "./site-context.js";

/** Reads the data of a conformance suite: its cases by requirement. Returns undefined for a description without a suite. */
export function readSuiteCoverage(data: unknown): SuiteCoverage | undefined {
  const outline = data as Json | undefined;
  if (!isJsonObject(outline) || !isJsonArray(outline["cases"])) return undefined;
  const cases = new Map<string, string[]>();
  for (const each of outline["cases"]) {
    if (!isJsonObject(each) || typeof each["id"] !== "string" || !isJsonArray(each["requirements"])) continue;
    for (const requirement of each["requirements"]) {
      if (typeof requirement !== "string") continue;
      const ids = cases.get(requirement);
      if (ids === undefined) cases.set(requirement, [each["id"]]);
      else ids.push(each["id"]);
    }
  }
  const untested = isJsonObject(outline["untested"]) ? Object.entries<Json>(outline["untested"]) : [];
  const reasons = untested.flatMap(([id, reason]) => (typeof reason === "string" ? [[id, reason] as const] : []));
  return { cases, untested: new Map(reasons) };
}
