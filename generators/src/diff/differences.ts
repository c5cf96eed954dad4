import type { Api, Operation } from "../model/api.js";
import { Comparison, report, type At } from "./comparison.js";
import type { Difference } from "./difference.js";
import { errors } from "./errors.js";
import { areas, text, version } from "./info.js";
import { linked, operations } from "./operations.js";
import { resources } from "./resources.js";
import { same } from "./same.js";
import { scopes } from "./scopes.js";
import { schemes } from "./security.js";
import { servers } from "./servers.js";
import { machines } from "./states.js";
import { compareBy, type Table } from "./table.js";

/**
 * What one model says otherwise than another, in the order of the new one; what is gone stands where its kind does. The two share no
 * objects. Operations of which it is known that they and all that they refer to are the same need not be compared.
 */
export function differences(
  old: Api,
  next: Api,
  isUntouched: (operation: Operation) => boolean = () => false,
): readonly Difference[] {
  const comparison = new Comparison(old, next, isUntouched);
  compareBy(table, old, next, {
    comparison,
    direction: "reply",
    place: "the API",
    thing: "the API",
    pointer: "",
    carrier: { users: new Set() },
  });
  return comparison.differences();
}

const table: Table<Api> = {
  title: (old, next, at) => report(at, "title-changed", { old: old.title, new: next.title, here: next.origin }),
  version,
  summary: text,
  description: text,
  servers: (old, next, at) => servers(old, next, at),
  areas,
  schemes,
  scopes,
  operations,
  linked,
  failures: (old, next, at) => errors(old.failures, next.failures, at),
  resources,
  machines,
  shapes: namedShapes, // after everything that refers to shapes
  requirements: "what states it is no part of what is stated",
  assumptions: "what states it is no part of what is stated",
  origin: "where it stands is no part of what it says",
};

/** The names of shapes, which are those of types; what operations carry has been compared by then. */
function namedShapes(old: Api, next: Api, at: At): void {
  const { comparison } = at;
  const before = new Map(old.shapes.map((each) => [each.name, each] as const));
  const renamed = new Set(comparison.renamed.values());
  for (const { name, shape } of next.shapes) {
    const known = before.get(name);
    if (known === undefined && !renamed.has(name)) report(at, "shape-added", { what: name, here: shape.origin });
    if (known === undefined || (comparison.used.new.has(name) && comparison.used.old.has(name))) continue;
    if (!same(known.shape, shape)) report(at, "shape-changed", { what: name, here: shape.origin });
  }
  for (const { name, shape } of old.shapes) {
    const newName = comparison.renamed.get(name);
    if (newName !== undefined) {
      const here = next.shapes.find((each) => each.name === newName)?.shape.origin ?? next.origin;
      report(at, "shape-renamed", { old: name, new: newName, here });
    } else if (!comparison.has("new", name)) report(at, "shape-removed", { what: name, gone: shape.origin });
  }
}
