import { isList, isObject, type PublicFault } from "@plumbline/validator-runtime";
import { asGiven, isMisplaced, type Show, type Viewer } from "./shown.js";

/** Serializes a body as JSON. Returns a fault if that is not possible. */
export function writeJson(show: Show = asGiven, body: unknown, viewer: Viewer): string | PublicFault {
  let shown: unknown;
  try {
    shown = show(body, viewer);
  } catch (error) {
    if (!isMisplaced(error)) throw error;
    const { value } = error;
    const path = pathTo((each) => each === value, body);
    return fault(path, isList(value) ? "must not be an array" : "must not be an object");
  }
  try {
    return JSON.stringify(shown) ?? fault([], "must be JSON");
  } catch (error) {
    const bigint = pathTo((each) => typeof each === "bigint", shown);
    if (bigint !== undefined) return fault(bigint, "is a bigint, which JSON does not have");
    const within = pathTo((each, above) => above.includes(each), shown);
    if (within !== undefined) return fault(within, "contains itself, which JSON cannot represent");
    throw error;
  }
}

function fault(path: readonly string[] | undefined, reason: string): PublicFault {
  const field = path === undefined || path.length === 0 ? {} : { field: path.join(".") };
  return { in: "reply", ...field, code: "type", reason };
}

type IsSought = (value: unknown, above: readonly unknown[]) => boolean;

/** The path to the first matching value in another. */
function pathTo(isSought: IsSought, value: unknown, above: readonly unknown[] = []): readonly string[] | undefined {
  if (isSought(value, above)) return [];
  if (!(isObject(value) || isList(value)) || above.includes(value)) return undefined;
  for (const [key, child] of Object.entries(value)) {
    const found = pathTo(isSought, child, [...above, value]);
    if (found !== undefined) return [key, ...found];
  }
  return undefined;
}
