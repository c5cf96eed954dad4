import { type Code, code, jsonLiteral } from "@plumbline/kit/codegen";
import { emitCondition, objectLiteral } from "@plumbline/kit/codegen/conditions";
import { checkFunction, type CompileContext } from "@plumbline/kit/codegen/validation";
import {
  type Api,
  documentedErrorBodies,
  errorFormat,
  collectFields,
  collectReferences,
  type Effect,
  type Expression,
  findField,
  findJsonContent,
  findTarget,
  handlerHeaders,
  type Json,
  type MediaTypeObject,
  type Operation,
  type OperationResponse,
  preferredContent,
  type Schema,
  schemaParts,
  type ValueSource,
  schemasByName,
} from "@plumbline/kit/model";
import type {
  BodyReferenceData,
  MockList,
  MockTarget,
  OperationData,
  ValueSourceData,
} from "@plumbline/server-runtime/mock";
import { bodyData, bodyShape } from "./body-shapes.js";
import { withEchoedFields } from "./echoed-fields.js";
import { expressionResource } from "./expressions.js";
import { createsMissing, findsAnything, isInferredResource } from "./inferred-resources.js";
import { listOf } from "./lists.js";
import { findOperation, isResource } from "./lookups.js";
import { concreteContent } from "./media-types.js";
import type { RepeatedValues } from "./repeated-values.js";
import { roleOf } from "./roles.js";
import { propertiesOf, sampleOf, sampleOfContent } from "./samples.js";
import { oneOrMore, plainJson, pointerText, someItems, someJson } from "./short-literals.js";

/** What the parts of a definition are printed with. */
export interface EmitContext {
  readonly context: CompileContext;
  readonly values: RepeatedValues;
}

/** Prints what an operation does. */
export function operationData(api: Api, operation: Operation, emit: EmitContext): Code {
  const { method, path } = operation;
  const { role, resource, createsWhen, isNamedByBody } = roleOf(api, operation);
  const target = findTarget(api, operation);
  const list = role === "list" || role === "read" ? listOf(api, operation) : undefined;
  const content = findJsonContent(operation.requestBody?.contents ?? []);
  const fields = content === undefined ? [] : propertiesOf(schemaParts(api, content.schema)).map(({ name }) => name);
  const references = pathReferences(api, operation);
  const success = successResponses(operation);
  const errors = operation.responses.filter((each) => !success.includes(each));
  const absent = operation.requestBody?.input.absent ?? "keep";
  return objectLiteral({
    route: jsonLiteral(path === "" ? method : `${method} ${path}`),
    role: jsonLiteral(role),
    resource: resource === target?.resource ? undefined : jsonLiteral(resource ?? null),
    target: isLastReference(target, references.at(-1)) ? undefined : jsonLiteral(target ? { ...target } : null),
    pathReferences: someJson(references),
    isLookedUp: refersToInferredResource(operation) ? jsonLiteral(false) : undefined,
    createsMissing: createsMissing(api, operation) ? jsonLiteral(true) : undefined,
    isNamedByBody: isNamedByBody && jsonLiteral(true),
    createsWhen: createsWhen && emitCondition(createsWhen, emit.context, `${operation.name} creates`),
    bodyReferences: someJson(bodyReferences(api, operation)),
    effects: someItems(operation.effects.map((effect) => effectData(api, effect, { operation, ...emit }))),
    concurrency: someJson(
      operation.limits.flatMap(({ kind, id, per, until }) =>
        kind === "concurrency" ? [{ id, per: per?.text, settled: until?.settled.text }] : [],
      ),
    ),
    ...(absent === "clear" && { absent: jsonLiteral(absent), bodyFields: someJson(fields) }),
    success: oneOrMore(success.map((each) => successData(api, each, { operation, ...emit }))),
    errors: someItems(errors.map((each) => errorData(api, each, { operation, ...emit }))),
    list: list && listData(list, resource, emit),
  });
}

interface OperationContext extends EmitContext {
  readonly operation: Operation;
}

type PathReferenceData = NonNullable<OperationData["pathReferences"]>[number];

/** The path parameters that name objects. */
function pathReferences(api: Api, operation: Operation): readonly PathReferenceData[] {
  return operation.parameters.flatMap(({ in: place, name, reference }) =>
    place === "path" && reference !== undefined && isResource(api, reference.to)
      ? [
          {
            parameter: name,
            resource: reference.to,
            ...byMember(reference.by),
            ...(findsAnything(api, operation, reference.to) ? { findsAnything: true as const } : {}),
          },
        ]
      : [],
  );
}

/** References are by `id` unless they state another field. */
function byMember(by = "id"): { readonly by?: string } {
  return by === "id" ? {} : { by };
}

function isLastReference(target: MockTarget | undefined, last: MockTarget | undefined): boolean {
  return target?.resource === last?.resource && target?.parameter === last?.parameter;
}

/** The server does not know inferred resources, so the mock looks them up. */
function refersToInferredResource({ parameters }: Operation): boolean {
  return parameters.some(({ reference }) => reference !== undefined && isInferredResource(reference.to));
}

/** The fields of the body that refer to resources, with the names under which the server hands over the objects. */
function bodyReferences(api: Api, operation: Operation): readonly BodyReferenceData[] {
  const content = findJsonContent(operation.requestBody?.contents ?? []);
  const looked = collectReferences(api, operation).body.map(({ pointer, name, reference: { to, by } }) => ({
    pointer: pointerText(pointer),
    ...(name === pointer.filter((token) => token !== "*").join(".") ? {} : { name }),
    resource: to,
    ...byMember(by),
  }));
  const created = (content === undefined ? [] : collectFields(api, content.schema)).flatMap(
    ({ pointer, schema: { reference } }) =>
      reference?.onNotFound === "create" && isResource(api, reference.to)
        ? [
            {
              pointer: pointerText(pointer),
              resource: reference.to,
              ...byMember(reference.by),
              creates: true as const,
            },
          ]
        : [],
  );
  return [...looked, ...created];
}

function effectData(api: Api, effect: Effect, { operation, context }: OperationContext): Code {
  const { id, when, does = "keep", of, where, except, count, values } = effect;
  const hint = `${operation.name} ${id}`;
  return objectLiteral({
    id: jsonLiteral(id),
    when: when && emitCondition(when, context, hint),
    does: jsonLiteral(does),
    to: effectTarget(api, effect, operation),
    of: of && objectData(api, operation, of),
    where: where && checkFunction(context, where, `${hint} where`),
    except: except && jsonLiteral(except.text),
    count: count === undefined ? undefined : jsonLiteral(typeof count === "number" ? count : count.text),
    values: valuesData(api, values, effectResource(api, effect, operation)),
  });
}

/** The resource of the objects that an effect creates or changes. */
function effectResource(api: Api, { to = "", object }: Effect, operation: Operation): string | undefined {
  return object === undefined ? to : expressionResource(api, operation, object)?.resource;
}

/** Prints the sources of values. Where the platform chooses, they have a sample. Undefined without any. */
export function valuesData(
  api: Api,
  sources: Readonly<Record<string, ValueSource>>,
  resource: string | undefined,
): Code | undefined {
  const schema = resource === undefined ? undefined : schemasByName(api).get(resource);
  const values = Object.entries(sources).map(([field, source]) => {
    const changed = schema && findField(api, schema, field.split("."));
    return [field, sourceData(api, source, changed)] as const;
  });
  return someJson(Object.fromEntries(values));
}

function sourceData(api: Api, source: ValueSource, changed: Schema | undefined): ValueSourceData {
  if (source.kind === "value") {
    const { value } = source;
    return typeof value === "object" && value !== null ? { value } : value;
  }
  if (source.kind === "from") {
    const { from, times, minus } = source;
    return {
      from: from.text,
      ...(times === undefined ? {} : { times }),
      ...(minus === undefined ? {} : { minus: minus.text }),
    };
  }
  if (source.kind === "ignore" || changed === undefined) return { by: source.kind };
  const items = schemaParts(api, changed).find((part) => part.items !== undefined)?.items;
  const isAddress = schemaParts(api, items ?? changed).some(({ format }) => format === "ipv4");
  return { by: "platform", ...(isAddress ? { format: "ipv4" } : { sample: sampleOf(api, items ?? changed) }) };
}

function effectTarget(api: Api, { to = "", object }: Effect, operation: Operation): Code | undefined {
  if (object !== undefined) return objectData(api, operation, object);
  return isResource(api, to) || findOperation(api, to) !== undefined ? jsonLiteral(to) : undefined;
}

/** Prints an expression with the resource that it identifies. */
export function objectData(api: Api, operation: Operation, expression: Expression): Code {
  const { resource, by } = expressionResource(api, operation, expression) ?? {};
  return jsonLiteral([
    expression.text,
    ...(resource === undefined ? [] : [resource]),
    ...(by === undefined ? [] : [by]),
  ]);
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

function successData(api: Api, response: OperationResponse, { operation, context, values }: OperationContext): Code {
  const { status, visibility, contents } = response;
  const content = responseContent(api, contents);
  const required = handlerHeaders(api, operation, response).filter((each) => each.required);
  const { when } = visibility ?? {};
  const body = content && withEchoedFields(api, operation, { shape: bodyShape(api, content), schema: content.schema });
  return objectLiteral({
    status: jsonLiteral(status),
    when: when && emitCondition(when, context, `${operation.name} ${status}`),
    body: body && bodyData(body),
    ...contentMembers(documentedContent(api, response), `${operation.name} ${status}`, values),
    headers: someJson(Object.fromEntries(required.map(({ name, schema }) => [name, sampleOf(api, schema)] as const))),
  });
}

/** Prints another response. One of several operations is a constant. */
function errorData(api: Api, response: OperationResponse, { operation, values }: OperationContext): Code {
  const { status, contents } = response;
  const { isExact, ...rest } = documentedContent(api, response);
  const content = isExact === undefined || listsReasons(api, operation, status) ? rest : { ...rest, isExact };
  const [, component = ""] = componentName.exec(contents[0]?.schema.origin.pointer ?? "") ?? [];
  const stem = /^(|\d.*|default)$/.test(component) ? `${operation.name} ${status}` : component;
  return values.once(`${status} ${JSON.stringify(content)}`, stem, () =>
    objectLiteral({ status: jsonLiteral(status), ...contentMembers(content, stem, values) }),
  );
}

/** Whether the server fills the documented body with its reasons, so that no example is sent in place of them. */
function listsReasons(api: Api, { name }: Operation, status: OperationResponse["status"]): boolean {
  const body = documentedErrorBodies(api)?.[name]?.[String(status)];
  return body !== null && body !== undefined && errorFormat(body.template)?.entries !== undefined;
}

/** The name of a response of the components, before its schema. */
const componentName = /([^/]+)\/(?:content\/[^/]+\/)?schema$/;

function responseContent(api: Api, contents: readonly MediaTypeObject[]): MediaTypeObject | undefined {
  const content = findJsonContent(contents) ?? preferredContent(contents);
  return content && concreteContent(api, content);
}

/** Whether the body of an error differs from that of the server: one of several schemas, fixed values, or other required fields. */
function isOfOtherForm(api: Api, schema: Schema, mediaType: string): boolean {
  const parts = schemaParts(api, schema);
  const requiredNames = mediaType.endsWith("problem+json") ? problemFields : errorFields;
  return parts.some(
    ({ oneOf, anyOf, properties = [], required = [] }) =>
      oneOf !== undefined ||
      anyOf !== undefined ||
      required.some((name) => !requiredNames.includes(name)) ||
      properties.some(
        (each) =>
          each.schema.enum !== undefined ||
          each.schema.const !== undefined ||
          (each.required && !requiredNames.includes(each.name)),
      ),
  );
}

/** The fields of the server's errors, as JSON and as RFC 9457 has them. */
const errorFields = ["errors"];
const problemFields = ["type", "title", "status", "detail", "errors"];

/** What clients can ask for: the example, other examples by name, and a sample of the schema. */
function documentedContent(api: Api, { status, contents }: OperationResponse): Readonly<Record<string, Json>> {
  const content = responseContent(api, contents);
  if (content === undefined) return {};
  const { mediaType, schema } = content;
  const example = sampleOfContent(api, content, content.example);
  const sample = sampleOfContent(api, content, undefined);
  const namedExamples = Object.entries(content.examples ?? {});
  const examples = namedExamples.map(([name, value]) => [name, sampleOfContent(api, content, value)] as const);
  const isError = status === "default" || Number(String(status)[0]) >= 4;
  return {
    ...(mediaType === "application/json" ? {} : { mediaType }),
    example,
    ...(content.examples && { examples: Object.fromEntries(examples) }),
    ...(JSON.stringify(sample) === JSON.stringify(example) ? {} : { sample }),
    ...(isError && isOfOtherForm(api, schema, mediaType) ? { isExact: true } : {}),
  };
}

function contentMembers(
  content: Readonly<Record<string, Json>>,
  hint: string,
  values: RepeatedValues,
): Readonly<Record<string, Code>> {
  const members = Object.entries(content).map(
    ([name, value]) => [name, values.literal(value, `${hint} ${name}`)] as const,
  );
  return Object.fromEntries(members);
}

/** A value that several lists have, with its literal types. */
function sharedConstant(values: RepeatedValues, name: string, value: Json): Code {
  return values.once(JSON.stringify(value), name, () => code`${jsonLiteral(value)} as const`);
}

function listData(
  { resources, defaultSize, queryFields, filter, order, filterFields, referring, cursor, ...pagination }: MockList,
  resource: string | undefined,
  { values }: EmitContext,
): Code {
  const isOwn = JSON.stringify(resources) === JSON.stringify(resource === undefined ? [] : [resource]);
  const fields = Object.entries(filterFields).map(
    ([name, field]) => [name, field.operators === undefined ? field.type : field] as const,
  );
  const references = Object.entries(referring).map(
    ([name, { pointer, by }]) => [name, { pointer: pointerText(pointer), ...byMember(by) }] as const,
  );
  return values.spread(plainJson(pagination) as Readonly<Record<string, Json>>, "pagination", {
    resources: isOwn ? undefined : jsonLiteral(resources),
    defaultSize: defaultSize === 100 ? undefined : jsonLiteral(defaultSize),
    cursor: cursor && sharedConstant(values, "cursor", plainJson(cursor)),
    filter: filter && sharedConstant(values, "filter", plainJson(filter)),
    order: order && sharedConstant(values, "order", plainJson(order)),
    filterFields: someJson(Object.fromEntries(fields)),
    queryFields: someJson(queryFields),
    referring: someJson(Object.fromEntries(references)),
  });
}
