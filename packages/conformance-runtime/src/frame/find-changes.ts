import type { Json } from "../suite.js";
import { escapePointerToken } from "../values/json-pointer.js";
import { isJsonArray, isJsonObject } from "../values/json.js";
import type { ObservedObject, Snapshot } from "./snapshot.js";

/** A difference between two readings. */
export interface Change {
  readonly does: "set" | "create" | "delete";
  readonly key: string;
  readonly object: ObservedObject;
  /** The object before. Absent for a new one. */
  readonly earlier?: ObservedObject | undefined;
  /** A JSON pointer into the object. Empty for one that comes or goes. */
  readonly at: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** Compares two readings, as far as both asked for the same. */
export function findChanges(before: Snapshot, after: Snapshot): readonly Change[] {
  const keys = new Set([...before.objects.keys(), ...after.objects.keys()]);
  return [...keys].flatMap((key): readonly Change[] => {
    const [earlier, later] = [before.objects.get(key), after.objects.get(key)];
    const isAskedFor = (source: string): boolean => before.sources.has(source) && after.sources.has(source);
    if (earlier !== undefined && later !== undefined)
      return fieldChanges(earlier.value, later.value, "").map((change) => ({
        ...change,
        does: "set",
        key,
        object: later,
        earlier,
      }));
    if (later !== undefined && isAskedFor(later.source))
      return [{ does: "create", key, object: later, at: "", before: undefined, after: later.value }];
    if (earlier !== undefined && isAskedFor(earlier.source))
      return [{ does: "delete", key, object: earlier, earlier, at: "", before: earlier.value, after: undefined }];
    return [];
  });
}

type FieldChange = Pick<Change, "at" | "before" | "after">;

/** The fields that differ. A list is one value. */
function fieldChanges(before: Json | undefined, after: Json | undefined, at: string): readonly FieldChange[] {
  if (before === after) return [];
  if (isJsonArray(before) && isJsonArray(after)) {
    const isSame =
      before.length === after.length &&
      before.every((each, index) => fieldChanges(each, after[index], at).length === 0);
    return isSame ? [] : [{ at, before, after }];
  }
  if (!isJsonObject(before) || !isJsonObject(after)) return [{ at, before, after }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => fieldChanges(before[name], after[name], `${at}/${escapePointerToken(name)}`));
}
