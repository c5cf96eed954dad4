import type { Api, Operation } from "./api.js";
import { once } from "./once.js";

/** The resource that an operation is about: the one that its path identifies, or the only one of its caller. */
export interface Target {
  readonly resource: string;
  /** The parameter that identifies the resource. Absent if each caller has exactly one, or if the operation has no path. */
  readonly parameter?: string;
}

/** Returns the last resource that the path identifies, or else the singleton resource above the path. */
export function targetOf(api: Api, operation: Operation): Target | undefined {
  const named = operation.parameters.findLast(
    ({ in: place, reference }) => place === "path" && reference !== undefined,
  );
  if (named?.reference !== undefined) return { resource: named.reference.to, parameter: named.name };
  if (operation.path === "") {
    const machine = api.machines.find(({ transitions }) =>
      transitions.some(({ by, on }) => by.kind === "operation" && by.operation === operation.name && on === undefined),
    );
    return machine === undefined ? undefined : { resource: machine.resource };
  }
  const around = singlesOf(api).filter(({ path }) => `${operation.path}/`.startsWith(`${path}/`));
  const nearest = around.toSorted((a, b) => b.path.length - a.path.length)[0];
  return nearest === undefined ? undefined : { resource: nearest.resource };
}

/** Resources of which each caller has exactly one, with the path from which it is read. That path has no parameters. */
export const singlesOf: (api: Api) => readonly { readonly resource: string; readonly path: string }[] = once((api) =>
  api.resources.flatMap(({ name, read, list, owner }) => {
    const reading = api.operations.find((each) => each.name === read);
    const isSingle =
      reading !== undefined && list === undefined && !reading.path.includes("{") && !owner.includes("platform");
    return isSingle ? [{ resource: name, path: reading.path }] : [];
  }),
);
