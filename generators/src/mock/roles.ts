import {
  type Api,
  type Condition,
  findTarget,
  type Operation,
  schemaParts,
  memoizeByKey,
  trimTrailingSlash,
} from "@plumbline/kit/model";
import type { OperationRole } from "@plumbline/server-runtime/mock";
import { itemVariants } from "./body-shapes.js";
import { successSchema } from "./expressions.js";
import { isInferredResource, writtenResource } from "./inferred-resources.js";
import { isListOf, isResource, resourcesBegunBy } from "./lookups.js";
import { propertiesOf } from "./samples.js";

/** What an operation does, and the resource of the object that it creates, lists, reads, changes or deletes. */
export interface RoleOfOperation {
  readonly role: OperationRole;
  readonly resource?: string;
  /** Holds if the operation creates an object. */
  readonly createsWhen?: Condition;
  /** Whether the body names the object, as no path does. */
  readonly isNamedByBody?: true;
}

/** Determines what an operation does, from its state machines and effects, otherwise from its method, path and response. */
export function roleOf(api: Api, operation: Operation): RoleOfOperation {
  return rolesByOperation(api, operation, () => determineRole(api, operation));
}

const rolesByOperation = memoizeByKey<Operation, RoleOfOperation>();

function determineRole(api: Api, operation: Operation): RoleOfOperation {
  const { method, name } = operation;
  const created = createdResource(api, operation);
  if (created !== undefined) return { role: "create", ...created };
  const written = writtenResource(api, operation);
  if (written !== undefined && method === "POST") return { role: "create", resource: written };
  if (written !== undefined && (method === "PUT" || method === "PATCH"))
    return { role: "update", resource: written, isNamedByBody: true };
  const target = findTarget(api, operation);
  const resource = target?.resource ?? directResource(api, operation);
  const subject = resource === undefined ? {} : { resource };
  const isOwnPath =
    target?.parameter === undefined || trimTrailingSlash(operation.path).endsWith(`{${target.parameter}}`);
  if (method === "GET" || method === "HEAD") {
    const [listed] = listedResources(api, operation);
    const isList = isListOf(api, name) || operation.pagination !== undefined;
    if (listed !== undefined && (isList || directResource(api, operation) === undefined))
      return { role: "list", resource: listed };
    return { role: "read", ...subject };
  }
  if (method === "DELETE" && target?.parameter !== undefined && isOwnPath) return { role: "delete", ...subject };
  // `POST /pets/{petId}` with a form changes the pet.
  const isForm = method === "POST" && isInferredResource(operation.path) && operation.requestBody !== undefined;
  const isChange = method === "PUT" || method === "PATCH" || isForm;
  return { role: isChange && target !== undefined && isOwnPath ? "update" : "act", ...subject };
}

/** The resources in the list that an operation returns. */
export function listedResources(api: Api, operation: Operation): readonly string[] {
  const schema = successSchema(operation);
  if (schema === undefined) return [];
  const parts = schemaParts(api, schema);
  const lists = [...parts, ...propertiesOf(parts).flatMap((property) => schemaParts(api, property.schema))];
  const variants = lists.flatMap(({ items }) => (items === undefined ? [] : itemVariants(api, items)));
  return [...new Set(variants.map(({ resource }) => resource))];
}

/** The resource of the object that a response is. */
function directResource(api: Api, operation: Operation): string | undefined {
  const schema = successSchema(operation);
  const names = schema === undefined ? [] : schemaParts(api, schema).flatMap(({ ref }) => ref ?? []);
  return names.find((each) => isResource(api, each));
}

/** The resource in a response: the response itself, or the object in one of its fields. */
function respondedResources(api: Api, operation: Operation): readonly string[] {
  const direct = directResource(api, operation);
  if (direct !== undefined) return [direct];
  const schema = successSchema(operation);
  const fields = schema === undefined ? [] : propertiesOf(schemaParts(api, schema));
  return fields.flatMap((field) =>
    schemaParts(api, field.schema).flatMap(({ ref }) => (ref !== undefined && isResource(api, ref) ? [ref] : [])),
  );
}

function createdResource(api: Api, operation: Operation): Omit<RoleOfOperation, "role"> | undefined {
  if (operation.method === "GET" || operation.method === "DELETE") return undefined;
  const candidates = respondedResources(api, operation);
  const begun = resourcesBegunBy(api, operation.name);
  for (const resource of candidates) {
    const effect = operation.effects.find(({ does, to }) => does === "create" && to === resource);
    const isBegun = begun.has(resource);
    if (effect !== undefined) return { resource, ...(effect.when === undefined ? {} : { createsWhen: effect.when }) };
    if (isBegun) return { resource };
  }
  const [direct] = candidates;
  const target = findTarget(api, operation)?.resource;
  const isCreated = operation.responses.some(({ status }) => status === 201);
  const isPosted =
    operation.method === "POST" && trimTrailingSlash(operation.path) !== target && (direct !== target || isCreated);
  return direct !== undefined && isPosted ? { resource: direct } : undefined;
}
