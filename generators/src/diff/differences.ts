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
 * Compares two descriptions.
 *
 * @param old - The old model. The two models must not share objects.
 * @param next - The new model.
 * @param isUntouched - Whether an operation is known to be unchanged, with everything that it refers to; such an operation is skipped.
 * Default: none is.
 * @returns The differences in the order of the new description; removed nodes follow the nodes of their kind.
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
  requirements: "sources do not belong to the API",
  assumptions: "sources do not belong to the API",
  origin: "positions do not belong to the API",
};

/** Compares the names of schemas, which are those of types. By then the schemas of operations have been compared. */
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
