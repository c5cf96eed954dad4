import {
  findJsonContent,
  findTarget,
  isJsonObject,
  schemaParts,
  type Api,
  type Json,
  type Operation,
  type Resource,
  type Schema,
} from "@plumbline/kit/model";
import { targetKey } from "../expressions.js";
import { anotherValue } from "../invalid-values.js";
import { isSuccess } from "../messages.js";
import type { Call, Mutant, ProxyContext, Violation } from "../mutant.js";
import { keyOf, mapObjects, valueAt, withValueAt, type ObjectKey } from "../overrides.js";
import { pick } from "../random.js";
import { placeOf, requirementsOf } from "../statements.js";
import { mutantOf } from "./operations.js";

/**
 * Operations that do what they should, and something else besides: they change a field of their object that they do not state, a field of its
 * other objects, or one of another resource.
 */
export function frameMutants(api: Api, seed: number): readonly Mutant[] {
  return api.operations.filter(isChange).flatMap((operation) => {
    const { name, method } = operation;
    const target = targetResource(api, operation);
    const fields = target === undefined ? [] : fieldsOf(api, operation, target);
    const unrelated = api.resources.filter((each) => each.name !== target && isUnrelated(operation, each));
    const beside = pick(unrelated, seed, name);
    const besideFields = beside === undefined ? [] : fieldsOf(api, operation, beside.name);
    // What is deleted shows no field, and of other objects one field stands for all.
    const own = method === "DELETE" ? [] : fields.map((field) => ({ field, reach: "its object" as const }));
    const others = [
      { field: pick(fields.filter(isSteady), seed, name), reach: "other objects" as const },
      { field: pick(besideFields.filter(isSteady), seed, name), reach: "another resource" as const },
    ];
    return [...own, ...others].flatMap(({ field, reach }) =>
      field === undefined ? [] : [frameMutant(api, { operation, field, reach })],
    );
  });
}

function isChange({ method, path, responses }: Operation): boolean {
  const changes = method === "POST" || method === "PUT" || method === "PATCH" || method === "DELETE";
  return changes && path !== "" && responses.some(({ status }) => String(status).startsWith("2"));
}

/** The resource of the object in the path, and not of its parent. */
function targetResource(api: Api, operation: Operation): string | undefined {
  const target = findTarget(api, operation);
  const isShown = api.resources.some(
    ({ name, list, read }) => name === target?.resource && (list ?? read) !== undefined,
  );
  return target?.parameter !== undefined && isShown ? target.resource : undefined;
}

interface Field {
  readonly resource: string;
  readonly pointer: readonly string[];
  readonly schema: Schema;
}

/** The fields of a resource that an operation does not state: an inner one for an object. */
function fieldsOf(api: Api, operation: Operation, resource: string): readonly Field[] {
  const schema = api.schemas.find(({ name }) => name === resource)?.schema;
  if (schema === undefined) return [];
  const stated = statedFields(api, operation, resource);
  const keys = new Set(["id", "label", "username", api.resources.find(({ name }) => name === resource)?.modified]);
  const properties = schemaParts(api, schema).flatMap((part) => part.properties ?? []);
  return properties
    .filter(({ name, schema: each }) => !stated.has(name) && !keys.has(name) && isPlain(api, each))
    .flatMap(({ name, schema: each }): readonly Field[] => {
      const inner = schemaParts(api, each).flatMap((part) => part.properties ?? [])[0];
      return inner === undefined
        ? [{ resource, pointer: [name], schema: merged(api, each) }]
        : [{ resource, pointer: [name, inner.name], schema: merged(api, inner.schema) }];
    })
    .filter(({ schema: each }) => each.enum?.length !== 1);
}

/** True for a value of its own: not a secret, and no list of objects, which other kinds are about. */
function isPlain(api: Api, schema: Schema): boolean {
  return schemaParts(api, schema).every(
    ({ visibility, items }) =>
      visibility === undefined &&
      (items === undefined ||
        schemaParts(api, items).every(({ ref, properties }) => ref === undefined && properties === undefined)),
  );
}

function merged(api: Api, schema: Schema): Schema {
  return Object.assign({}, ...schemaParts(api, schema).toReversed()) as Schema;
}

/** True for a value that no platform changes by itself. */
function isSteady({ schema }: Field): boolean {
  return schema.format !== "date-time";
}

/** The names of fields of a resource that an operation may change: what it sends, effects, transitions and states, which other kinds are about. */
function statedFields(api: Api, operation: Operation, resource: string): ReadonlySet<string> {
  const content = findJsonContent(operation.requestBody?.contents ?? []);
  const sent = content === undefined ? [] : schemaParts(api, content.schema).flatMap((part) => part.properties ?? []);
  const effects = operation.effects.filter(({ to = "" }) => to === resource || to.startsWith("$"));
  const moves = api.stateMachines
    .filter((machine) => machine.resource === resource)
    .flatMap((machine) => machine.transitions);
  const states = api.stateMachines.flatMap(({ resource: of, field = "" }) => (of === resource ? [field] : []));
  const sets = moves.flatMap(({ event, sets: each = {} }) =>
    event.kind === "operation" && event.operation === operation.name ? Object.keys(each) : [],
  );
  return new Set([
    ...sent.map(({ name }) => name),
    ...[...effects.flatMap(({ values }) => Object.keys(values)), ...sets].map((name) => name.split(".")[0] ?? ""),
    ...states,
  ]);
}

/** True for a resource that no effect of an operation is about, and that belongs to no other one. */
function isUnrelated({ effects }: Operation, { name, list, parent, owner }: Resource): boolean {
  const isMeant = effects.some(({ to = "" }) => to === name || to.startsWith("$"));
  return list !== undefined && parent === undefined && owner.some((each) => each !== "platform") && !isMeant;
}

interface FrameFault {
  readonly operation: Operation;
  readonly field: Field;
  readonly reach: "its object" | "other objects" | "another resource";
}

function frameMutant(api: Api, { operation, field, reach }: FrameFault): Mutant {
  const { resource, pointer } = field;
  const statement = {
    place: placeOf(operation.origin),
    requirements: requirementsOf(operation.sources),
    operations: api.operations,
  };
  const detail = `${operation.name}/${reach}/${resource}.${pointer.join(".")}`;
  const mutant = mutantOf(statement, { kind: "frame", detail }, () => changingBesides({ operation, field, reach }));
  return { ...mutant, operations: [operation.name] };
}

/** From a success of the operation on, a field of the objects in its reach has another value, until a request sends the field. */
function changingBesides({ operation, field: { resource, pointer, schema }, reach }: FrameFault): Violation {
  const changed = new Map<string, Json | undefined>();
  const reached = (call: Call, { api, memory }: ProxyContext): readonly ObjectKey[] => {
    const target = targetKey({ api, call });
    if (reach === "its object") return target === undefined ? [] : [target];
    const ids = [...(memory.objects.get(resource)?.keys() ?? [])];
    return ids.map((id) => ({ resource, id })).filter((each) => target === undefined || keyOf(each) !== keyOf(target));
  };
  return {
    onResponse: (answer, call, proxy) => {
      const target = targetKey({ api: proxy.api, call });
      const isSent = valueAt(isJsonObject(call.body) ? call.body : {}, pointer.slice(0, 1)) !== undefined;
      if (isSuccess(answer) && isSent && target !== undefined) changed.delete(keyOf(target));
      if (isSuccess(answer) && call.operation.name === operation.name)
        for (const each of reached(call, proxy)) if (!changed.has(keyOf(each))) changed.set(keyOf(each), undefined);
      return mapObjects(answer, { call, api: proxy.api }, ({ object, value }) => {
        const key = keyOf(object);
        const shown = valueAt(value, pointer);
        if (!changed.has(key) || shown === undefined) return value;
        const other = changed.get(key) ?? anotherValue(schema, shown);
        changed.set(key, other);
        return other === undefined ? value : withValueAt(value, pointer, other);
      });
    },
  };
}
