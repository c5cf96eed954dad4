import {
  type Api,
  collectFields,
  type Expression,
  findField,
  findJsonContent,
  findTarget,
  type Operation,
  type Schema,
  schemaParts,
  schemasByName,
} from "@plumbline/kit/model";
import { isResource, schemaName } from "./lookups.js";

/** The resource that the values of an expression identify, and the identifying field. */
export interface ExpressionResource {
  readonly resource: string;
  readonly by?: string;
}

/** Finds the resource that an expression of an operation identifies. */
export function expressionResource(
  api: Api,
  operation: Operation,
  expression: Expression,
): ExpressionResource | undefined {
  const { root, part, name, pointer } = expression;
  if (root === "request" && part === "path") {
    const reference = operation.parameters.find((each) => each.in === "path" && each.name === name)?.reference;
    return reference && toResource(reference);
  }
  if (root === "request" && part === "body") {
    const schema = findJsonContent(operation.requestBody?.contents ?? [])?.schema;
    return schema && referenceAt(api, schema, pointer);
  }
  if (root === "response") {
    const schema = successSchema(operation);
    return schema && (objectAt(api, schema, pointer) ?? referenceAt(api, schema, pointer));
  }
  if (root === "target") {
    const target = findTarget(api, operation)?.resource;
    const schema = target === undefined ? undefined : schemasByName(api).get(target);
    const path = name === undefined ? pointer : [name, ...pointer];
    return schema && (objectAt(api, schema, path) ?? referenceAt(api, schema, path));
  }
  return undefined;
}

/** The schema of the first success response. */
export function successSchema({ responses }: Operation): Schema | undefined {
  return responses.flatMap(({ status, contents }) =>
    String(status).startsWith("2") ? (findJsonContent(contents)?.schema ?? []) : [],
  )[0];
}

function referenceAt(api: Api, schema: Schema, pointer: readonly string[]): ExpressionResource | undefined {
  const path = pointer.join("/");
  const field = collectFields(api, schema).find(
    (each) => each.pointer.join("/") === path && each.schema.reference !== undefined,
  );
  return field?.schema.reference && toResource(field.schema.reference);
}

/** `…/id` of a resource identifies it. */
function objectAt(api: Api, schema: Schema, pointer: readonly string[]): ExpressionResource | undefined {
  const by = pointer.at(-1);
  const holder = by === undefined ? undefined : findField(api, schema, pointer.slice(0, -1));
  if (holder === undefined || by === undefined) return undefined;
  const names = [...schemaParts(api, holder).flatMap(({ ref }) => ref ?? []), schemaName(api, holder)];
  const resource = names.find((name) => isResource(api, name));
  return resource === undefined || by !== "id" ? undefined : { resource, by };
}

function toResource({ to, by }: { readonly to: string; readonly by?: string }): ExpressionResource {
  return { resource: to, ...(by === undefined ? {} : { by }) };
}
