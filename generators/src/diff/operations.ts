import type { Api, Method, Operation } from "../model/api.js";
import { bodies } from "./bodies.js";
import { report, shown, type At } from "./comparison.js";
import { effects } from "./effects.js";
import { errors } from "./errors.js";
import { grants } from "./grants.js";
import { text } from "./info.js";
import { limits } from "./limits.js";
import { matched } from "./matched.js";
import { pagination } from "./pagination.js";
import { namesIn, parameters } from "./parameters.js";
import { replies } from "./replies.js";
import { security } from "./security.js";
import { ownServers } from "./servers.js";
import { compareBy, places, type Table } from "./table.js";

/** Matches operations by method and path, whatever the names of path parameters; then by name. */
export function operations(old: Api, next: Api, at: At): void {
  const byPlace = matched(old.operations, next.operations, (each) => `${each.method} ${address(each.path)}`);
  for (const [before, after] of byPlace.both) at.comparison.operations.set(before.name, after.name);
  const byName = matched(byPlace.removed, byPlace.added, ({ name }) => name);
  tell({ both: [...byPlace.both, ...byName.both], removed: byName.removed, added: byName.added }, next.operations, at);
}

/** Compares operations without a path, which match by name. */
export function linked(old: Api, next: Api, at: At): void {
  tell(
    matched(old.linked, next.linked, ({ name }) => name),
    next.linked,
    at,
  );
}

/** A path without the names of its parameters. */
export function address(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, "{}");
}

function tell(
  { both, removed, added }: ReturnType<typeof matched<Operation>>,
  order: readonly Operation[],
  at: At,
): void {
  const before = new Map(both.map(([old, next]) => [next, old] as const));
  for (const next of order) {
    const old = before.get(next);
    const of: At = {
      ...at,
      place: "operation",
      thing: shown(next),
      carrier: { operation: shown(next), users: new Set() },
    };
    if (old !== undefined) {
      if (!at.comparison.isUntouched(next)) compareBy(table, old, next, of);
    } else if (added.includes(next)) report(of, "operation-added", { what: called(next), here: next.origin });
    at.comparison.catchUp();
  }
  for (const old of removed) {
    const of: At = {
      ...at,
      place: "operation",
      thing: shown(old),
      carrier: { operation: shown(old), users: new Set() },
    };
    report(of, "operation-removed", { what: called(old), gone: old.origin });
  }
}

const table: Table<Operation> = {
  name: (old, next, at) => report(at, "operation-renamed", { old: old.name, new: next.name, here: next.origin }),
  method: moved,
  path: moved,
  area: (old, next, at) => report(at, "operation-area-changed", { old: old.area, new: next.area, here: next.origin }),
  summary: text,
  description: text,
  deprecated: (_, next, at) =>
    report(at, next.deprecated ? "operation-deprecated" : "operation-restored", { here: next.origin }),
  servers: ownServers,
  parameters,
  body: bodies,
  replies,
  security,
  grants,
  limits: (old, next, at) => limits(old.limits, next.limits, at),
  effects,
  failures: (old, next, at) => errors(old.failures, next.failures, at),
  pagination,
  ...places,
};

function moved(old: Operation, next: Operation, at: At): void {
  // A renamed parameter is a difference of its own. A parameter that moved within the path is found by its name.
  const [before, after] = [namesIn(old.path), namesIn(next.path)];
  const isElsewhere = before.some((name, index) => after.includes(name) && after[index] !== name);
  if (placeOf(old) === placeOf(next) && !isElsewhere) return;
  report(at, "operation-moved", { what: next.name, old: shown(old), new: shown(next), here: next.origin });
}

function placeOf({ method, path }: { readonly method: Method; readonly path: string }): string {
  return `${method} ${address(path)}`;
}

function called(operation: Operation): string {
  return operation.path === "" ? operation.name : `${operation.name}, ${shown(operation)}`;
}
