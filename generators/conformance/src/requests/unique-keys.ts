import { type Api, type CollectedLimit, collectLimits, uniqueKeyFields, withoutTracking } from "@plumbline/model";

/**
 * The unique keys of all resources. Callers do not record a dependency on all schemas: the cache of cases has the keys among its inputs, see
 * `uniqueKeyTexts`.
 */
export function uniqueKeys(api: Api): readonly CollectedLimit[] {
  return withoutTracking(() =>
    collectLimits(api).filter(({ limit }) => limit.kind === "unique" && limit.within !== "array"),
  );
}

/** The unique keys as texts. */
export function uniqueKeyTexts(api: Api): readonly string[] {
  return uniqueKeys(api).map((key) => `${key.resource ?? ""} ${uniqueKeyFields(key).join(" ")}`);
}
