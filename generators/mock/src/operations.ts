import { type Code, jsonLiteral } from "@plumbline/codegen";
import {
  emitCondition,
  emitExpression,
  emitValueSource,
  listLiteral,
  objectLiteral,
} from "@plumbline/codegen/conditions";
import { checkFunction, type CompileContext } from "@plumbline/codegen/validation";
import type { DocumentedResponse, MockBodyReference } from "@plumbline/mock-runtime";
import {
  type Api,
  collectFields,
  collectReferences,
  type Effect,
  type Expression,
  findField,
  findJsonContent,
  findTarget,
  type MediaTypeObject,
  type Operation,
  type OperationResponse,
  preferredContent,
  type Schema,
  schemaParts,
  type ValueSource,
  schemasByName,
} from "@plumbline/model";
import { bodyShape } from "./body-shapes.js";
import { withEchoedFields } from "./echoed-fields.js";
import { expressionResource } from "./expressions.js";
import { createsMissing, findsAnything, isInferredResource } from "./inferred-resources.js";
import { concreteContent } from "./media-types.js";
import { listOf } from "./lists.js";
import { roleOf } from "./roles.js";
import { propertiesOf, sampleOf, sampleOfContent } from "./samples.js";
import { findOperation, isResource, operationsAt } from "./lookups.js";

/** Prints what an operation does. */
export function operationData(api: Api, operation: Operation, context: CompileContext): Code {
  const { role, resource, createsWhen, isNamedByBody } = roleOf(api, operation);
  const target = findTarget(api, operation);
  const list = role === "list" || role === "read" ? listOf(api, operation) : undefined;
  const content = findJsonContent(operation.requestBody?.contents ?? []);
  const fields = content === undefined ? [] : propertiesOf(schemaParts(api, content.schema)).map(({ name }) => name);
  return objectLiteral({
    method: jsonLiteral(operation.method),
    path: jsonLiteral(operation.path),
    role: jsonLiteral(role),
    resource: resource === undefined ? undefined : jsonLiteral(resource),
    target: target === undefined ? undefined : jsonLiteral({ ...target }),
    pathReferences: jsonLiteral(
      operation.parameters.flatMap(({ in: place, name, reference }) =>
        place === "path" && reference !== undefined && isResource(api, reference.to)
          ? [
              {
                parameter: name,
                resource: reference.to,
                by: reference.by ?? "id",
                ...(findsAnything(api, operation, reference.to) ? { findsAnything: true } : {}),
              },
            ]
          : [],
      ),
    ),
    isLookedUp: jsonLiteral(!refersToInferredResource(operation)),
    createsMissing: createsMissing(api, operation) ? jsonLiteral(true) : undefined,
    isNamedByBody: isNamedByBody && jsonLiteral(true),
    createsWhen: createsWhen && emitCondition(createsWhen, context, `${operation.name} creates`),
    bodyReferences: jsonLiteral(bodyReferences(api, operation).map((each) => ({ ...each }))),
    effects: listLiteral(operation.effects.map((effect) => effectData(api, effect, { operation, context }))),
    concurrency: listLiteral(
      operation.limits.flatMap(({ kind, id, per, until }) =>
        kind === "concurrency"
          ? [
              objectLiteral({
                id: jsonLiteral(id),
                per: per && emitExpression(per),
                settled: until && emitExpression(until.settled),
              }),
            ]
          : [],
      ),
    ),
    document: hasDocument(api, operation) ? jsonLiteral(operation.path) : undefined,
    absent: jsonLiteral(operation.requestBody?.input.absent ?? "keep"),
    bodyFields: jsonLiteral(fields),
    success: listLiteral(successResponses(operation).map((each) => responseData(api, each, { operation, context }))),
    documented: jsonLiteral(documentedResponses(api, operation)),
    list: list === undefined ? undefined : jsonLiteral(JSON.parse(JSON.stringify(list))),
  });
}

interface OperationContext {
  readonly operation: Operation;
  readonly context: CompileContext;
}

/** Whether clients read at a path what they have written there, without a resource: `PUT /settings`, `GET /settings`. */
function hasDocument(api: Api, { method, path }: Operation): boolean {
  const methods = new Set(operationsAt(api, path).map((each) => each.method));
  return ["GET", "PUT", "PATCH"].includes(method) && methods.has("GET") && methods.size > 1 && path !== "";
}

/** The server does not know inferred resources, so the mock looks them up. */
function refersToInferredResource({ parameters }: Operation): boolean {
  return parameters.some(({ reference }) => reference !== undefined && isInferredResource(reference.to));
}

/** The fields of the body that refer to resources, with the names under which the server hands over the objects. */
function bodyReferences(api: Api, operation: Operation): readonly MockBodyReference[] {
  const content = findJsonContent(operation.requestBody?.contents ?? []);
  const looked = collectReferences(api, operation).body.map(({ pointer, name, reference: { to, by } }) => ({
    pointer,
    name,
    resource: to,
    by: by ?? "id",
    isMany: pointer.includes("*"),
  }));
  const created = (content === undefined ? [] : collectFields(api, content.schema)).flatMap(
    ({ pointer, schema: { reference } }) =>
      reference?.onNotFound === "create" && isResource(api, reference.to)
        ? [
            {
              pointer,
              name: pointer.join("."),
              resource: reference.to,
              by: reference.by ?? "id",
              isMany: pointer.includes("*"),
              creates: true as const,
            },
          ]
        : [],
  );
  return [...looked, ...created];
}

function effectData(api: Api, effect: Effect, { operation, context }: OperationContext): Code {
  const hint = `${operation.name} ${effect.id}`;
  const changed = effectResource(api, effect, operation);
  const values = Object.entries(effect.values).map(
    ([field, source]) => [field, emitChosenSource(api, source, { resource: changed, field })] as const,
  );
  return objectLiteral({
    id: jsonLiteral(effect.id),
    when: effect.when && emitCondition(effect.when, context, hint),
    does: jsonLiteral(effect.does ?? "keep"),
    to: effectTarget(api, effect, operation),
    of: effect.of && objectExpression(api, operation, effect.of),
    where: effect.where && checkFunction(context, effect.where, `${hint} where`),
    except: effect.except && emitExpression(effect.except),
    count:
      effect.count === undefined
        ? undefined
        : typeof effect.count === "number"
          ? jsonLiteral(effect.count)
          : emitExpression(effect.count),
    values: objectLiteral(Object.fromEntries(values)),
  });
}

/** The resource of the objects that an effect creates or changes. */
function effectResource(api: Api, { to = "", object }: Effect, operation: Operation): string | undefined {
  return object === undefined ? to : expressionResource(api, operation, object)?.resource;
}

/** Prints the source of a value. Where the platform chooses, it has a sample. */
export function emitChosenSource(
  api: Api,
  source: ValueSource,
  { resource, field }: { readonly resource: string | undefined; readonly field: string },
): Code {
  const schema = resource === undefined ? undefined : schemasByName(api).get(resource);
  const changed = schema && findField(api, schema, field.split("."));
  if (source.kind !== "platform" || changed === undefined) return emitValueSource(source);
  const items = schemaParts(api, changed).find((part) => part.items !== undefined)?.items;
  const parts = schemaParts(api, items ?? changed);
  const isAddress = parts.some(({ format }) => format === "ipv4");
  return jsonLiteral({
    kind: "platform",
    ...(isAddress ? { format: "ipv4" } : { sample: sampleOf(api, items ?? changed) }),
  });
}

function effectTarget(api: Api, { to = "", object }: Effect, operation: Operation): Code {
  if (object !== undefined) {
    const known = expressionResource(api, operation, object);
    return objectLiteral({
      kind: jsonLiteral("object"),
      expression: emitExpression(object),
      ...resourceMembers(known),
    });
  }
  if (isResource(api, to)) return jsonLiteral({ kind: "resource", resource: to });
  return jsonLiteral(findOperation(api, to) !== undefined ? { kind: "operation", operation: to } : { kind: "unknown" });
}

/** Prints an expression with the resource that it identifies. */
export function objectExpression(api: Api, operation: Operation, expression: Expression): Code {
  const known = expressionResource(api, operation, expression);
  return objectLiteral({ expression: emitExpression(expression), ...resourceMembers(known) });
}

function resourceMembers(
  known: { readonly resource: string; readonly by?: string } | undefined,
): Readonly<Record<string, Code | undefined>> {
  return {
    resource: known && jsonLiteral(known.resource),
    by: known?.by === undefined ? undefined : jsonLiteral(known.by),
  };
}

/** Responses with a condition come first. */
function successResponses({ responses }: Operation): readonly OperationResponse[] {
  const all = responses.filter(({ status }) => typeof status === "number" && status >= 200 && status < 300);
  // An operation may only redirect. One that documents errors only responds without content.
  const others = ["2XX", "default", "3"].flatMap((key) =>
    responses.filter(({ status }) => (key === "3" ? String(status).startsWith("3") : status === key)),
  );
  const usable = all.length > 0 ? all : others.slice(0, 1);
  return usable.toSorted((a, b) => Number(a.visibility?.when === undefined) - Number(b.visibility?.when === undefined));
}

function responseData(
  api: Api,
  { status, visibility, contents, headers }: OperationResponse,
  { operation, context }: OperationContext,
): Code {
  const content = responseContent(api, contents);
  const required = headers.filter((each) => each.required && !serverHeaders.test(each.name));
  const { when } = visibility ?? {};
  const body = content && withEchoedFields(api, operation, { shape: bodyShape(api, content), schema: content.schema });
  return objectLiteral({
    status: jsonLiteral(typeof status === "number" ? status : status === "default" ? 200 : Number(status[0]) * 100),
    when: when && emitCondition(when, context, `${operation.name} ${status}`),
    mediaType: content === undefined ? undefined : jsonLiteral(content.mediaType),
    body: body && jsonLiteral(JSON.parse(JSON.stringify(body))),
    headers: jsonLiteral(
      Object.fromEntries(required.map(({ name, schema }) => [name, sampleOf(api, schema)] as const)),
    ),
  });
}

function responseContent(api: Api, contents: readonly MediaTypeObject[]): MediaTypeObject | undefined {
  const content = findJsonContent(contents) ?? preferredContent(contents);
  return content && concreteContent(api, content);
}

/** The server adds these itself. */
const serverHeaders =
  /^(x-request-id|x-oauth-scopes|x-accepted-oauth-scopes|(x-)?ratelimit-.*|retry-after|deprecation|sunset)$/i;

/** Whether the body of an error differs from that of the server: one of several schemas, fixed values, or other required fields. */
function isOfOtherForm(api: Api, schema: Schema, mediaType: string): boolean {
  const parts = schemaParts(api, schema);
  const known = mediaType.endsWith("problem+json") ? problemFields : errorFields;
  return parts.some(
    ({ oneOf, anyOf, properties = [], required = [] }) =>
      oneOf !== undefined ||
      anyOf !== undefined ||
      required.some((name) => !known.includes(name)) ||
      properties.some(
        (each) =>
          each.schema.enum !== undefined ||
          each.schema.const !== undefined ||
          (each.required && !known.includes(each.name)),
      ),
  );
}

/** The fields of the server's errors, as JSON and as RFC 9457 has them. */
const errorFields = ["errors"];
const problemFields = ["type", "title", "status", "detail", "errors"];

function documentedResponses(
  api: Api,
  { responses }: Operation,
): Readonly<Record<string, DocumentedResponse & Record<string, never>>> {
  const all = responses.map(({ status, contents }) => {
    const content = responseContent(api, contents);
    if (content === undefined) return [String(status), {}] as const;
    const { mediaType, schema } = content;
    const named = Object.entries(content.examples ?? {});
    const examples = named.map(([name, value]) => [name, sampleOfContent(api, content, value)] as const);
    const isExact =
      status === "default" || Number(String(status)[0]) >= 4 ? isOfOtherForm(api, schema, mediaType) : false;
    const documented = {
      mediaType,
      example: sampleOfContent(api, content, content.example),
      ...(content.examples && { examples: Object.fromEntries(examples) }),
      sample: sampleOfContent(api, content, undefined),
    };
    return [String(status), { ...documented, ...(isExact ? { isExact } : {}) }] as const;
  });
  return JSON.parse(JSON.stringify(Object.fromEntries(all))) as never;
}
