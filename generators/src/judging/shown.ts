import { code, join, key, type Code } from "../emit/printer.js";
import type { Api, Operation, Property, Shape } from "../model/api.js";
import { jsonContent } from "../model/media.js";
import { shapesOf } from "../model/shapes-by-name.js";
import { checkFunction } from "./checks/functions.js";
import type { Around } from "./checks/scope.js";
import { $type } from "./runtime.js";

/**
 * Emits a table of checks for the fields of a change as its response contains them. A value that repeats the stored one
 * is valid even if it
 * violates the constraints of the request. Returns `undefined` if that does not apply, or if the response contains none
 * of the fields.
 */
export function shownFields(operation: Operation, shape: Shape, api: Api, around: Around): Code | undefined {
  if (operation.body?.input.unchanged !== "accept") return undefined;
  const reply = operation.replies.find(({ status }) => typeof status === "number" && status >= 200 && status < 300);
  const shown = reply === undefined ? undefined : jsonContent(reply.contents)?.shape;
  if (shown === undefined) return undefined;
  const sent = new Set(propertiesOf(shape, api).map((property) => property.name));
  const fields = propertiesOf(shown, api).filter((property) => sent.has(property.name));
  if (fields.length === 0) return undefined;
  const checks = fields.map(
    (each) =>
      code`${key(each.name)}: ${checkFunction(around, each.shape, `shown ${shown.ref ?? operation.name} ${each.name}`)}`,
  );
  return around.pool.share(
    `shown ${shown.ref ?? operation.name}`,
    (own) => code`const ${own} = (): Readonly<Record<string, ${$type("Check")}>> => ({ ${join(checks, code`, `)} });`,
  );
}

function propertiesOf(shape: Shape, api: Api, seen: Set<string> = new Set()): readonly Property[] {
  const parts = [...(shape.allOf ?? [])];
  if (shape.ref !== undefined && !seen.has(shape.ref)) {
    seen.add(shape.ref);
    const named = shapesOf(api).get(shape.ref);
    if (named !== undefined) parts.push(named);
  }
  return [...(shape.properties ?? []), ...parts.flatMap((part) => propertiesOf(part, api, seen))];
}
