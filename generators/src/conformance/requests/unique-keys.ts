import { type Api, type CollectedLimit, collectLimits } from "@plumbline/kit/model";

/** The unique keys of all resources. */
export function uniqueKeys(api: Api): readonly CollectedLimit[] {
  return collectLimits(api).filter(({ limit }) => limit.kind === "unique" && limit.within !== "array");
}
