import type { Api, Shape } from "./api.js";
import { once } from "./once.js";
import { noteRead, unrecorded } from "./reads.js";

/** The named shapes of a model. Whoever records what is read learns which were asked for. */
export type ShapesByName = Pick<ReadonlyMap<string, Shape>, "get">;

/** The shapes of a model by their names. */
export const shapesOf: (api: Api) => ShapesByName = once((api): ShapesByName => {
  const shapes = unrecorded(() => new Map(api.shapes.map((each) => [each.name, each.shape] as const)));
  return {
    get: (name) => {
      noteRead(name);
      return shapes.get(name);
    },
  };
});
