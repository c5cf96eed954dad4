import type { Caller } from "../../server/index.js";
import type { StoredObject } from "../store/stored-object.js";

/** The key of what an operation reads beside objects: one for each target, or each caller. */
export function documentKey(operation: string, target: StoredObject | undefined, caller: Caller | undefined): string {
  return `documents/${operation}/${target === undefined ? `user ${caller?.user ?? ""}` : target.key}`;
}
