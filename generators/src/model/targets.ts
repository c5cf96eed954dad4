import type { Api, Operation } from "./api.js";
import { once } from "./once.js";

/** What an operation is about: the resource that its path names, or the one that its caller has. */
export interface Target {
  readonly resource: string;
  /** The parameter that names it; absent where each caller has one of it, or where the address of a linked operation leads to it. */
  readonly parameter?: string;
}

/** The last resource that the path names, else what the path is below of what each caller has one of. */
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

/** Resources of which a caller has one, and where it is read: nothing in its path says which. */
export const singlesOf: (api: Api) => readonly { readonly resource: string; readonly path: string }[] = once((api) =>
  api.resources.flatMap(({ name, read, list, owner }) => {
    const reading = api.operations.find((each) => each.name === read);
    const isSingle =
      reading !== undefined && list === undefined && !reading.path.includes("{") && !owner.includes("platform");
    return isSingle ? [{ resource: name, path: reading.path }] : [];
  }),
);
