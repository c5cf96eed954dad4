import { operationFileName } from "@plumbline/kit/codegen";
import { type Api, type Operation, distinctOperationTypeNames, memoize, schemasByName } from "@plumbline/kit/model";

/** Returns the name of the request type of an operation. */
export function requestTypeName(api: Api, operation: Operation): string {
  return typeNamesOf(api, operation)[0];
}

/** Returns the name of the error type of an operation. */
export function errorTypeName(api: Api, operation: Operation): string {
  return typeNamesOf(api, operation)[1];
}

/** Returns the name of the type of the successful responses of an operation. */
export function successTypeName(api: Api, operation: Operation): string {
  return typeNamesOf(api, operation)[2];
}

function typeNamesOf(api: Api, operation: Operation): readonly [request: string, error: string, success: string] {
  const { name } = operation;
  return typeNames(api).get(name) ?? [name, name, name];
}

const typeNames = memoize((api) => {
  const schemas = schemasByName(api);
  const operations = [...api.operations, ...api.operationsWithoutPath].map(({ name }) => name);
  return distinctOperationTypeNames(operations, (name) => schemas.get(name) !== undefined);
});

/** True if the package can export something under this name. Operations and schemas of the description take precedence. */
export function isNameFree(api: Api, name: string): boolean {
  return !namesIn(api).has(name);
}

const namesIn = memoize(
  (api) =>
    new Set([
      ...[...api.operations, ...api.operationsWithoutPath].flatMap((each) => [each.name, ...typeNamesOf(api, each)]),
      ...api.schemas.map(({ name }) => name),
    ]),
);

/** Returns the import path of the file of an operation, relative to `src/gen`. */
export function operationFile(api: Api, operation: Operation): string {
  return `./operations/${operationFileName(api, operation)}.js`;
}
