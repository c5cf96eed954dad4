import { areaFile } from "../emit/areas.js";
import type { Api, Operation } from "../model/api.js";
import { typesOf } from "../model/names.js";
import { once } from "../model/once.js";

/** Returns the name of the request type of an operation. */
export function argumentsName(operation: Operation): string {
  return typesOf(operation.name)[0];
}

/** Returns the name of the error type of an operation. */
export function failureName(operation: Operation): string {
  return typesOf(operation.name)[1];
}

/** True if the package can export something under this name. Operations and schemas of the description take precedence. */
export function isFree(api: Api, name: string): boolean {
  return !namesIn(api).has(name);
}

const namesIn = once(
  ({ operations, linked, shapes }) =>
    new Set(
      [...operations, ...linked, ...shapes].flatMap((each) =>
        "replies" in each ? [each.name, ...typesOf(each.name)] : [each.name],
      ),
    ),
);

/** Returns the import path of the file of an operation, relative to `src/gen`. */
export function fileOf(operation: Operation): string {
  return `./operations/${areaFile(operation.area)}.js`;
}
