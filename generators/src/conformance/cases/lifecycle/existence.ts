import type { Case, Step, Template } from "@plumbline/conformance-runtime";
import {
  findJsonContent,
  type Operation,
  type Property,
  type Resource,
  type Schema,
  schemaParts,
  sizeLimits,
} from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { objectName } from "../../context/object-name.js";
import { acceptedPlan } from "../../requests/callers.js";
import { createdResource, type CreatedResource } from "../../requests/created-resources.js";
import { documentsNotFound } from "../../requests/documented-statuses.js";
import { expectRejection } from "../../requests/expect-error.js";
import { planRequest, type RequestPlan } from "../../requests/request-plan.js";
import { onlyWithId } from "../lists/filtered-lists.js";

/** Cases of creations, updates and deletions: each is visible in reads and lists. */
export function existenceCases(context: ConformanceContext): readonly Case[] {
  const { api } = context;
  return [
    ...api.operations.flatMap((operation) => {
      const created = createdResource(api, operation);
      return created === undefined ? [] : createdCases(context, operation, created);
    }),
    ...api.resources.flatMap((resource) => [...listedCases(context, resource), ...deletedCases(context, resource)]),
    ...api.operations.flatMap((operation) => changedCases(context, operation)),
  ];
}

function createdCases(
  context: ConformanceContext,
  operation: Operation,
  { resource, pointer }: CreatedResource,
): readonly Case[] {
  const plan = acceptedPlan(context, operation);
  const reached = objectAccessOf(context, plan, resource, { $get: `made#/body${pointer}/${keyOf(context, resource)}` });
  const same = stableProperties(context, operation, resource);
  const steps: Step[] = [];
  if (reached.read !== undefined)
    steps.push({
      ...reached.read,
      expect: { body: sameFields(same, `made#/body${pointer}`) },
    });
  if (reached.list !== undefined && reached.items !== undefined)
    steps.push({
      ...reached.list,
      expect: { body: within(reached.items, { contains: itself(context, resource, `made#/body${pointer}`) }) },
    });
  if (steps.length === 0) return [];
  return [
    createCase(context, {
      operation,
      kind: "responses",
      idParts: ["created-is-there"],
      title: `${operation.name}: the created object can be read, and is in the list`,
      requirements: [
        ...new Set([
          ...requirementIds(operation.sources),
          ...steps.flatMap((step) =>
            "call" in step ? requirementIds(context.operations.get(step.call)?.sources) : [],
          ),
        ]),
      ],
      requires: plan.requires,
      exclusive: plan.exclusive,
      steps: [...plan.setupSteps, { ...plan.call, as: "made" }, ...steps],
    }),
  ];
}

/** A list shows the same representation as a read. */
function listedCases(context: ConformanceContext, resource: Resource): readonly Case[] {
  const readOperation = context.operations.get(resource.read ?? "");
  if (readOperation === undefined || context.operations.get(resource.list ?? "") === undefined) return [];
  const plan = planRequest(context, readOperation, { objects: "shared" });
  const key = keyOf(context, resource);
  const reached = objectAccessOf(context, plan, resource, { $get: `${objectName(resource.name)}#/${key}` });
  if (reached.read === undefined || reached.list === undefined || reached.items === undefined) return [];
  const list = context.operations.get(resource.list ?? "");
  return [
    createCase(context, {
      operation: list ?? readOperation,
      kind: "responses",
      idParts: ["shows-what-is-read"],
      title: `${list?.name ?? ""} shows the same representation as ${readOperation.name}`,
      requirements: [...requirementIds(list?.sources), ...requirementIds(readOperation.sources)],
      requires: plan.requires,
      steps: [
        ...plan.setupSteps,
        ...settleSteps(context, resource),
        { ...reached.read, as: "read" },
        {
          ...reached.list,
          ...(list !== undefined && resource.delete === undefined
            ? onlyWithId(context, list, { key, value: { $get: `read#/body/${key}` } })
            : {}),
          expect: { body: within(reached.items, { contains: { const: { $get: "read#/body" } } }) },
        },
      ],
    }),
  ];
}

/** A deleted object is not found and not listed, and a second deletion is rejected if the description has an error for it. */
function deletedCases(context: ConformanceContext, resource: Resource): readonly Case[] {
  const operation = context.operations.get(resource.delete ?? "");
  if (operation === undefined) return [];
  const plan = planRequest(context, operation, { objects: "own" });
  const name = plan.operation.parameters.findLast((each) => each.in === "path")?.name ?? "";
  const reached = objectAccessOf(context, plan, resource, plan.call.path?.[name] ?? null);
  const gone = expectRejection(context, operation, { defaultStatuses: [404] });
  const expect = context.api.errors.length === 0 ? { status: [404, 410] } : gone.expect;
  const takesTime = context.api.stateMachines.some((each) => each.resource === resource.name);
  const again: readonly Step[] = documentsNotFound(context, operation) ? [{ ...plan.call, expect }] : [];
  const steps: Step[] = [];
  if (reached.read !== undefined)
    steps.push({ ...reached.read, expect, ...(takesTime ? { until: true as const } : {}) });
  else if (takesTime) steps.push({ settle: true });
  if (reached.list !== undefined && reached.items !== undefined)
    steps.push({
      ...reached.list,
      expect: {
        body: within(reached.items, {
          not: { contains: itself(context, resource, Object.values(plan.names).at(-1) ?? "") },
        }),
      },
    });
  if (steps.length + again.length === 0) return [];
  return [
    createCase(context, {
      operation,
      kind: "responses",
      idParts: ["deleted-is-gone"],
      title: `${operation.name}: the deleted object is not found`,
      requirements: [...requirementIds(operation.sources), ...gone.requirements],
      requires: plan.requires,
      exclusive: plan.exclusive,
      steps: [...plan.setupSteps, plan.call, ...steps, ...again],
    }),
  ];
}

/** The response to an update equals a later read. */
function changedCases(context: ConformanceContext, operation: Operation): readonly Case[] {
  if (operation.method !== "PUT" && operation.method !== "PATCH") return [];
  const readOperation = context.api.operations.find(
    (each) => each.method === "GET" && each.path === operation.path && shownBy(each) !== undefined,
  );
  const resourceName = readOperation && shownBy(readOperation);
  if (readOperation === undefined || resourceName === undefined || shownBy(operation) !== resourceName) return [];
  const plan = planRequest(context, operation, { objects: "own" });
  const { path, by } = plan.call;
  const resource = context.resources.get(resourceName);
  const same = resource === undefined ? [] : stableProperties(context, operation, resource);
  const isAtWork = context.api.stateMachines.some(
    (each) => context.resources.get(each.resource)?.parent === resourceName || each.resource === resourceName,
  );
  // Jobs on the object, or on its children, may run between the two responses.
  const body: Template = isAtWork ? sameFields(same, "changed#/body") : { const: { $get: "changed#/body" } };
  return [
    createCase(context, {
      operation,
      kind: "responses",
      idParts: ["changed-is-read"],
      title: `${operation.name} responds with what ${readOperation.name} shows afterwards`,
      requirements: requirementIds(operation.sources),
      requires: plan.requires,
      exclusive: plan.exclusive,
      steps: [
        ...plan.setupSteps,
        ...(resource === undefined ? [] : settleSteps(context, resource)),
        { ...plan.call, as: "changed" },
        {
          call: readOperation.name,
          path,
          by,
          expect: { body },
        },
      ],
    }),
  ];
}

/** The named schema of a successful response. */
function shownBy({ responses }: Operation): string | undefined {
  return responses.flatMap((response) =>
    String(response.status).startsWith("2") ? (findJsonContent(response.contents)?.schema.ref ?? []) : [],
  )[0];
}

interface ObjectAccess {
  readonly read?: Extract<Step, { readonly call: string }>;
  readonly list?: Extract<Step, { readonly call: string }>;
  readonly items?: string;
}

/** How to read and list an object of a plan. */
function objectAccessOf(
  context: ConformanceContext,
  plan: RequestPlan,
  resource: Resource,
  key: Template,
): ObjectAccess {
  const readOperation = context.operations.get(resource.read ?? "");
  const list = context.operations.get(resource.list ?? "");
  const schema = readOperation && successOf(readOperation);
  const isOwn =
    schema !== undefined &&
    (isInferred(resource) || schemaParts(context.api, schema).some(({ ref }) => ref === resource.name));
  const size = list?.parameters.find((each) => each.in === "query" && each.name === list.pagination?.size);
  const { by } = plan.call;
  const who = by === undefined ? {} : { by };
  const pathParameter = readOperation?.parameters.findLast((each) => each.in === "path");
  const pathTo = (operation: Operation): Readonly<Record<string, Template>> =>
    Object.fromEntries(
      operation.parameters
        .filter((each) => each.in === "path")
        .map(
          (each) =>
            [
              each.name,
              operation === readOperation && each === pathParameter ? key : (plan.call.path?.[each.name] ?? null),
            ] as const,
        ),
    );
  const isListed = list !== undefined && (list.pagination !== undefined || listsAll(context, list, resource));
  const most = size && sizeLimits("number", [size.schema]).most;
  return {
    ...(readOperation === undefined || pathParameter === undefined || !isOwn
      ? {}
      : { read: { call: readOperation.name, path: pathTo(readOperation), ...who } }),
    ...(isListed
      ? {
          items: list.pagination?.envelope.items ?? "",
          list: {
            call: list.name,
            ...(list.path.includes("{") ? { path: pathTo(list) } : {}),
            ...(size === undefined || most === undefined ? {} : { query: { [size.name]: most } }),
            ...who,
          },
        }
      : {}),
  };
}

/** True for a list without pages: an array, and no number that could limit it. */
function listsAll(context: ConformanceContext, list: Operation, resource: Resource): boolean {
  const schema = successOf(list);
  const parts = schema === undefined ? [] : schemaParts(context.api, schema);
  const isLimited = list.parameters.some(
    (each) =>
      each.in === "query" && schemaParts(context.api, each.schema).some(({ types }) => types.includes("integer")),
  );
  return (
    !isInferred(resource) &&
    !isLimited &&
    parts.some(({ types, items }) => types.includes("array") && items !== undefined)
  );
}

function sameFields(names: readonly string[], value: string): Template {
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { const: { $get: `${value}/${name}` } }] as const)),
    required: names,
  };
}

/** True for a resource that was inferred from paths. */
function isInferred({ name }: Resource): boolean {
  return name.startsWith("/");
}

function successOf({ responses }: Operation): Schema | undefined {
  return responses.flatMap((response) =>
    response.status === 200 ? (findJsonContent(response.contents)?.schema ?? []) : [],
  )[0];
}

/** Without `items` the list itself. */
function within(items: string, schema: Template): Template {
  if (items === "") return schema;
  return { type: "object", properties: { [items]: schema }, required: [items] };
}

function itself(context: ConformanceContext, resource: Resource, value: string): Template {
  const key = keyOf(context, resource);
  const pointer = value.includes("#") ? `${value}/${key}` : `${value}#/${key}`;
  return { properties: { [key]: { const: { $get: pointer } } }, required: [key] };
}

/** The field that identifies a resource in paths. */
function keyOf(context: ConformanceContext, resource: Resource): string {
  const parameters = [resource.read, resource.delete].flatMap(
    (name) => context.operations.get(name ?? "")?.parameters ?? [],
  );
  return parameters.find((each) => each.in === "path" && each.reference?.to === resource.name)?.reference?.by ?? "id";
}

/** Fields of a response that do not change: requested values, unless the platform changes or hides them. */
function stableProperties(
  { api, schemas, operations }: ConformanceContext,
  operation: Operation,
  resource: Resource,
): readonly string[] {
  const readOperation = operations.get(resource.read ?? "");
  const schema = isInferred(resource) ? readOperation && successOf(readOperation) : schemas.get(resource.name);
  if (schema === undefined || readOperation === undefined) return [];
  const states = new Set(
    api.stateMachines.flatMap((each) => (each.resource === resource.name ? (each.field ?? []) : [])),
  );
  const content = operation.requestBody && findJsonContent(operation.requestBody.contents);
  const sent = new Set(
    content === undefined
      ? []
      : schemaParts(api, content.schema).flatMap(({ properties = [] }) => properties.map(({ name }) => name)),
  );
  const isKept = ({ name, required, schema: field, writeOnly }: Property): boolean =>
    required && !writeOnly && field.visibility === undefined && !states.has(name) && (sent.has(name) || name === "id");
  const properties = schemaParts(api, schema).flatMap((part) => part.properties ?? []);
  return [...new Set(properties.filter(isKept).map(({ name }) => name))];
}

/** Jobs of the platform would change the object between two reads. */
function settleSteps({ api }: ConformanceContext, { name }: Resource): readonly Step[] {
  return api.stateMachines.some((each) => each.resource === name) ? [{ settle: true }] : [];
}
