import type { Template } from "@plumbline/conformance-runtime";
import type { Shape } from "../model/api.js";
import { concreteOf, isKnownList, isKnownObject, type Known } from "./concrete.js";
import type { Context } from "./context.js";
import { alwaysOf, branchesWith } from "./layers.js";
import { misfits, type Misfit } from "./misfits.js";

/** Validates a template. Values that are known only at run time match every schema. */
export function misfitsOf(
  context: Context,
  shape: Shape,
  body: Template,
  nulls: "absent" | "judged",
): readonly Misfit[] {
  const value = concreteOf(body);
  return misfits(context, shape, nulls === "absent" ? withoutNulls(context, shape, value) : value);
}

/** Removes nulls that count as absent. */
function withoutNulls(context: Context, shape: Shape, value: Known): Known {
  if (!hasNull(value)) return value;
  if (isKnownList(value)) {
    const items = alwaysOf(context, shape).find((each) => each.items !== undefined)?.items;
    return items === undefined ? value : value.map((each) => withoutNulls(context, items, each));
  }
  if (!isKnownObject(value)) return value;
  const layers = branchesWith(context, shape);
  const kept = Object.entries(value).flatMap(([name, each]): readonly (readonly [string, Known])[] => {
    const shapes = layers.flatMap((layer) => layer.properties?.find((property) => property.name === name)?.shape ?? []);
    const [own] = shapes;
    if (own === undefined) return [[name, each]];
    if (each === null && !shapes.some((of) => misfits(context, of, null).length === 0)) return [];
    return [[name, withoutNulls(context, own, each)]];
  });
  return Object.fromEntries(kept);
}

function hasNull(value: Known): boolean {
  if (value === null) return true;
  if (isKnownList(value)) return value.some(hasNull);
  return isKnownObject(value) && Object.values(value).some(hasNull);
}
