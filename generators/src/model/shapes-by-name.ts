import type { Api, Shape } from "./api.js";
import { once } from "./once.js";
import { noteRead, unrecorded } from "./reads.js";

/** The named schemas of a model. Reads are tracked as dependencies. */
export type ShapesByName = Pick<ReadonlyMap<string, Shape>, "get">;

/** Returns the named schemas of a model. */
export const shapesOf: (api: Api) => ShapesByName = once((api): ShapesByName => {
  const shapes = unrecorded(() => new Map(api.shapes.map((each) => [each.name, each.shape] as const)));
  return {
    get: (name) => {
      noteRead(name);
      return shapes.get(name);
    },
  };
});
