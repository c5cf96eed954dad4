import type { Api, Operation } from "./api.js";
import { memoize } from "./memoize.js";

/** The resource that an operation is about: the one that its path identifies, or the only one of its caller. */
export interface OperationTarget {
  readonly resource: string;
  /** The parameter that identifies the resource. Absent if each caller has exactly one, or if the operation has no path. */
  readonly parameter?: string;
}

/** Returns the last resource that the path identifies, or else the singleton resource above the path. */
export function findTarget(api: Api, operation: Operation): OperationTarget | undefined {
  const parameter = operation.parameters.findLast(
    ({ in: place, reference }) => place === "path" && reference !== undefined,
  );
  if (parameter?.reference !== undefined) return { resource: parameter.reference.to, parameter: parameter.name };
  if (operation.path === "") {
    const stateMachine = api.stateMachines.find(({ transitions }) =>
      transitions.some(
        ({ event, subject }) =>
          event.kind === "operation" && event.operation === operation.name && subject === undefined,
      ),
    );
    return stateMachine === undefined ? undefined : { resource: stateMachine.resource };
  }
  const context = singletonResources(api).filter(({ path }) => `${operation.path}/`.startsWith(`${path}/`));
  const nearest = context.toSorted((a, b) => b.path.length - a.path.length)[0];
  return nearest === undefined ? undefined : { resource: nearest.resource };
}

/** Resources of which each caller has exactly one, with the path from which it is read. That path has no parameters. */
export const singletonResources: (api: Api) => readonly { readonly resource: string; readonly path: string }[] =
  memoize((api) =>
    api.resources.flatMap(({ name, read, list, owner }) => {
      const reading = api.operations.find((each) => each.name === read);
      const isSingle =
        reading !== undefined && list === undefined && !reading.path.includes("{") && !owner.includes("platform");
      return isSingle ? [{ resource: name, path: reading.path }] : [];
    }),
  );
