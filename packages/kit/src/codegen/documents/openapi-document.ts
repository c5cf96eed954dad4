import { isJsonObject, type Json, type Operation } from "../../model/index.js";
import type { JsonObject } from "../openapi-types/document.js";

/** A document of OpenAPI 3 as JSON. */
export type OpenapiDocument = Readonly<Record<string, Json>>;

/** Returns a child that is an object; undefined for any other value. */
export function childObject(parent: JsonObject, key: string): JsonObject | undefined {
  const child = Object.hasOwn(parent, key) ? parent[key] : undefined;
  return isJsonObject(child) ? child : undefined;
}

/** Replaces the values of an object that are objects themselves. */
export function mapObjects(parent: JsonObject, map: (child: JsonObject, key: string) => JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries<Json>(parent).map(([key, child]) => [key, isJsonObject(child) ? map(child, key) : child] as const),
  );
}

/**
 * Replaces the operations of a document that the model has.
 *
 * @param document - The document of the model.
 * @param operations - The operations of the model.
 * @param map - Returns the operation of the document as it has to be.
 */
export function mapOperations(
  document: OpenapiDocument,
  operations: readonly Operation[],
  map: (operationObject: JsonObject, operation: Operation) => JsonObject,
): OpenapiDocument {
  const byPlace = new Map<string, Operation>(operations.map((each) => [`${each.method} ${each.path}`, each]));
  const paths = childObject(document, "paths");
  if (paths === undefined) return document;
  const mapped = mapObjects(paths, (item, path) =>
    mapObjects(item, (value, method) => {
      const operation = byPlace.get(`${method.toUpperCase()} ${path}`);
      return operation === undefined ? value : map(value, operation);
    }),
  );
  return { ...document, paths: mapped };
}
