import type { Api, Schema } from "../api.js";
import { memoize } from "../incremental/memoize.js";
import { trackName, withoutTracking } from "../incremental/dependency-tracking.js";

/** The named schemas of a model. Reads are tracked as dependencies. */
export type SchemasByName = Pick<ReadonlyMap<string, Schema>, "get">;

/** Returns the named schemas of a model. */
export const schemasByName: (api: Api) => SchemasByName = memoize((api): SchemasByName => {
  const schemas = withoutTracking(() => new Map(api.schemas.map((each) => [each.name, each.schema] as const)));
  return {
    get: (name) => {
      trackName(name);
      return schemas.get(name);
    },
  };
});
