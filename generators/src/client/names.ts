import { areaFile } from "../emit/areas.js";
import type { Api, Operation } from "../model/api.js";
import { typesOf } from "../model/names.js";
import { once } from "../model/once.js";

/** The type of what a function takes. */
export function argumentsName(operation: Operation): string {
  return typesOf(operation.name)[0];
}

/** The type of how a function fails. */
export function failureName(operation: Operation): string {
  return typesOf(operation.name)[1];
}

/** Whether something that the package adds can have this name: an operation or a schema of it is what users mean. */
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

/** The file of an operation, as its neighbours of the package import it. */
export function fileOf(operation: Operation): string {
  return `./operations/${areaFile(operation.area)}.js`;
}
