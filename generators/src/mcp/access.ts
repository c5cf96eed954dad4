import { type Api, type Effect, type Operation } from "@plumbline/kit/model";
import type { ToolAccess } from "@plumbline/mcp-runtime";

/** What a call may do to the objects of the API, as annotations of tools state it. */
export interface ToolEffects {
  readonly access: ToolAccess;
  readonly idempotent: boolean;
  readonly destructive: boolean;
}

// RFC 9110, 9.2.1 and 9.2.2. QUERY is safe, too.
const safeMethods: readonly string[] = ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"];
const idempotentMethods: ReadonlySet<string> = new Set([...safeMethods, "PUT", "DELETE"]);

/** Returns what a call may do: by the method, the effects, the resources and the state machines of the description. */
export function effectsOf(api: Api, operation: Operation): ToolEffects {
  const access = accessOf(api, operation);
  const overwrites = operation.method === "PUT" || operation.method === "PATCH";
  return {
    access,
    idempotent: idempotentMethods.has(operation.method),
    destructive: access === "delete" || (access === "write" && overwrites),
  };
}

function accessOf(api: Api, operation: Operation): ToolAccess {
  if (deletes(api, operation)) return "delete";
  const isRead = api.resources.some(({ read, list }) => read === operation.name || list === operation.name);
  const isSafe = isRead || safeMethods.includes(operation.method);
  return isSafe && !operation.effects.some(changes) ? "read" : "write";
}

function deletes(api: Api, { name, method, effects }: Operation): boolean {
  if (method === "DELETE" || api.resources.some((each) => each.delete === name)) return true;
  const ends = api.stateMachines.some(({ transitions }) =>
    transitions.some(({ event, to }) => event.kind === "operation" && event.operation === name && to === "$deleted"),
  );
  return ends || effects.some((effect) => deletesObjects(api, effect));
}

/** True for an effect that deletes objects which callers can read. A document that is rendered again is not deleted. */
function deletesObjects(api: Api, { does, to = "" }: Effect): boolean {
  if (does !== "delete" && does !== "replace") return false;
  const resource = api.resources.find(({ name }) => name === to);
  return resource === undefined ? to.startsWith("$") : (resource.read ?? resource.list) !== undefined;
}

function changes({ does }: Effect): boolean {
  return does !== undefined && does !== "keep";
}
