import path from "node:path";
import { isJsonObject, valueAt } from "@plumbline/kit/model";
import { bundle, createConfig } from "@redocly/openapi-core";
import { repositoryRoot } from "../repository.js";

export type DocumentNode = Readonly<Record<string, unknown>>;

/** The published description as one document, without extension fields. */
export async function readDescription(): Promise<DocumentNode> {
  const ref = path.join(repositoryRoot, "packages", "description", "openapi.yaml");
  const { bundle: bundled } = await bundle({ ref, config: await createConfig({}) });
  return withoutExtensions(bundled.parsed) as DocumentNode;
}

/** An operation with its path and method. */
export interface DescribedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: DocumentNode;
  /** Parameters of the path, shared by all its operations. */
  readonly parameters: readonly unknown[];
}

/** The operations of a document, by name. */
export function operationsOf(document: DocumentNode): ReadonlyMap<string, DescribedOperation> {
  const found = new Map<string, DescribedOperation>();
  for (const [address, given] of Object.entries(document["paths"] as DocumentNode)) {
    const { parameters, ...item } = resolveReference(given, document);
    for (const method of methods) {
      const operation = item[method];
      if (!isJsonObject(operation) || typeof operation["operationId"] !== "string") continue;
      found.set(operation["operationId"], {
        path: address,
        method,
        operation,
        parameters: Array.isArray(parameters) ? parameters : [],
      });
    }
  }
  return found;
}

/** Resolves a reference; other nodes are returned unchanged. */
export function resolveReference(node: unknown, document: DocumentNode): DocumentNode {
  if (!isJsonObject(node)) return {};
  const { $ref } = node;
  if (typeof $ref !== "string") return node;
  return resolveReference(valueAt(document, $ref.slice(2).split("/").map(unescaped)), document);
}

/** The schemas that a node refers to, transitively, by name. */
export function schemasWithin(value: unknown, document: DocumentNode): DocumentNode {
  const components = document["components"] as DocumentNode;
  const all = components["schemas"] as DocumentNode;
  const found = new Map<string, unknown>();
  const walk = (each: unknown): void => {
    if (Array.isArray(each)) each.forEach(walk);
    if (!isJsonObject(each)) return;
    const name =
      typeof each["$ref"] === "string" ? /^#\/components\/schemas\/(.+)$/.exec(each["$ref"])?.[1] : undefined;
    if (name !== undefined && !found.has(name)) {
      found.set(name, all[name]);
      walk(all[name]);
    }
    Object.values(each).forEach(walk);
  };
  walk(value);
  return Object.fromEntries(found);
}

/** In draft 7 `contains` always means at least one item: it has no `minContains` and `maxContains`. */
export function withoutCounted(schema: DocumentNode): DocumentNode {
  if (!("minContains" in schema || "maxContains" in schema)) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !/^(contains|(min|max)Contains)$/.test(key)));
}

const methods = ["get", "put", "post", "delete", "patch"] as const;

function unescaped(token: string): string {
  return decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
}

function withoutExtensions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExtensions);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => (name.startsWith("x-") ? [] : [[name, withoutExtensions(each)]])),
  );
}
