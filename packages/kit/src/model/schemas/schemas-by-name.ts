import type { Api, Schema } from "../api.js";
import { memoize } from "../memoize.js";

/** The named schemas of a model. */
export type SchemasByName = Pick<ReadonlyMap<string, Schema>, "get">;

/** Returns the named schemas of a model. */
export const schemasByName: (api: Api) => SchemasByName = memoize(
  ({ schemas }) => new Map(schemas.map(({ name, schema }) => [name, schema] as const)),
);
