import {
  findField,
  findJsonContent,
  findTarget,
  isJsonObject,
  type Api,
  type Json,
  type Operation,
} from "@plumbline/kit/model";
import { withBody } from "../../proxy.js";
import type { ProxyResponse } from "../../proxy.js";
import { anotherValue } from "../invalid-values.js";
import { idOf } from "../memory.js";
import { isSuccess, jsonOf, mentionsField, successOf } from "../messages.js";
import type { Mutant, MutantKind, Violation } from "../mutant.js";
import type { Call, ProxyContext } from "../mutant.js";
import { createOverrides, valueAt, withValueAt, type ObjectKey, type Overrides } from "../overrides.js";
import { pick } from "../random.js";
import { placeOf, type SchemaStatement, type SchemaUse } from "../statements.js";
import { isResource, visitResponse } from "../visit-values.js";
import { isOfValidation } from "./request-values.js";

/** Defaults, fields that only the server writes, and fields that do not change. */
export function writtenValueMutants(api: Api, statement: SchemaStatement, seed: number): readonly Mutant[] {
  return [...defaultMutants(api, statement, seed), ...readOnlyMutants(api, statement), ...mutabilityMutants(statement)];
}

function defaultMutants(api: Api, statement: SchemaStatement, seed: number): readonly Mutant[] {
  const { schema } = statement;
  const rule = schema.valueRules?.find(
    ({ absent, set }) => absent === true && (set?.kind === "value" || set?.kind === "from"),
  );
  if (schema.default === undefined && rule === undefined) return [];
  const creating = statement.requests.filter(
    ({ operation, pointer }) => operation.method === "POST" && isShown(api, operation, pointer),
  );
  const use = pick(creating, seed, statement.place);
  if (use === undefined) return [];
  const { operation, pointer } = use;
  return [
    writtenMutant(
      statement,
      { kind: "default", detail: `${operation.name}/another default`, operations: [operation.name] },
      (shown, call) => {
        if (call.operation.name !== operation.name || !isCreated(shown.body)) return undefined;
        if (!isAbsent(call.body, pointer)) return undefined;
        const value = valueAt(shown.body, pointer);
        const other = value === undefined ? undefined : anotherValue(schema, value);
        return other === undefined ? undefined : { pointer, value: other };
      },
    ),
  ];
}

/** True when a success of the operation has the field. Another default is not seen otherwise. */
function isShown(api: Api, { responses }: Operation, pointer: readonly string[]): boolean {
  const fields = pointer.filter((token) => token !== "*");
  return responses.some(({ status, contents }) => {
    const content = String(status).startsWith("2") ? findJsonContent(contents) : undefined;
    return (
      content !== undefined && fields.length === pointer.length && findField(api, content.schema, fields) !== undefined
    );
  });
}

function isCreated(body: Json | undefined): boolean {
  return isJsonObject(body);
}

/** True when a request leaves out a field, or sends null for it. */
function isAbsent(body: Json | undefined, pointer: readonly string[]): boolean {
  return (valueAt(body, pointer) ?? null) === null;
}

function readOnlyMutants(api: Api, statement: SchemaStatement): readonly Mutant[] {
  const { property, responses } = statement;
  if (property?.readOnly !== true) return [];
  const operations = namesOf(responses.filter(({ operation }) => mayContain(api, operation, statement)));
  if (operations.length === 0) return [];
  return [
    writtenMutant(statement, { kind: "read-only", detail: "written", operations }, (shown, call) => {
      const pointer = pointerIn(statement, call);
      return pointer === undefined ? undefined : sentValue(shown, call, pointer);
    }),
  ];
}

/** True when a request updates the object that has the field. A field with one value only cannot be sent with another. */
function mayContain(api: Api, operation: Operation, { schema }: SchemaStatement): boolean {
  const { method, requestBody } = operation;
  const resource = findTarget(api, operation)?.resource;
  const whole = api.schemas.find(({ name }) => name === resource)?.schema;
  if ((method !== "PUT" && method !== "PATCH") || requestBody === undefined || whole === undefined) return false;
  const [, field = ""] = placeOf(schema.origin).split(`${placeOf(whole.origin)}/properties/`);
  return field !== "" && !field.includes("/") && schema.enum?.length !== 1;
}

function mutabilityMutants(statement: SchemaStatement): readonly Mutant[] {
  const { property, responses, requests } = statement;
  if (property?.mutability === undefined) return [];
  const isUpdate = ({ operation }: SchemaUse): boolean => operation.method === "PUT" || operation.method === "PATCH";
  const operations = namesOf([...responses, ...requests].filter(isUpdate));
  if (operations.length === 0) return [];
  const sentPointer = ({ operation }: Call): readonly string[] | undefined =>
    requests.find((each) => each.operation.name === operation.name)?.pointer;
  const change = (shown: Shown, call: Call): Written | undefined => {
    if (call.operation.method !== "PUT" && call.operation.method !== "PATCH") return undefined;
    const pointer =
      pointerIn(statement, call) ?? requests.find(({ operation }) => operation.name === call.operation.name)?.pointer;
    return pointer === undefined ? undefined : sentValue(shown, call, pointer);
  };
  return [
    writtenMutant(statement, { kind: "mutability", detail: property.mutability.rule, operations, sentPointer }, change),
  ];
}

function namesOf(uses: readonly SchemaUse[]): readonly string[] {
  return [...new Set(uses.map(({ operation }) => operation.name))];
}

function pointerIn({ responses }: SchemaStatement, { operation }: Call): readonly string[] | undefined {
  return responses.find((each) => each.operation.name === operation.name)?.pointer;
}

/** The value that a request has sent, if the response shows another one. */
function sentValue({ body }: Shown, call: Call, pointer: readonly string[]): Written | undefined {
  const sent = valueAt(call.body, pointer);
  if (sent === undefined || sent === null) return undefined;
  return JSON.stringify(sent) === JSON.stringify(valueAt(body, pointer)) ? undefined : { pointer, value: sent };
}

interface Shown {
  readonly body: Json | undefined;
}

interface Written {
  readonly pointer: readonly string[];
  readonly value: Json;
}

interface WrittenDetail {
  readonly kind: MutantKind;
  readonly detail: string;
  readonly operations: readonly string[];
  /** The path to the field in a request. With it a rejection because of the field becomes a success. */
  readonly sentPointer?: (call: Call) => readonly string[] | undefined;
}

/** Another value is stored, and shown from then on. */
function writtenMutant(
  { place, requirements }: SchemaStatement,
  { kind, detail, operations, sentPointer }: WrittenDetail,
  change: (shown: Shown, call: Call) => Written | undefined,
): Mutant {
  return {
    id: `${kind}/${place}/${detail}`,
    kind,
    requirements,
    operations,
    description: `${kind}: ${detail}`,
    start: (): Violation => {
      const overrides = createOverrides();
      return {
        onResponse: (answer, call, proxy) => {
          const before = overrides.apply(answer, call, proxy);
          const rejected = sentPointer !== undefined && isOfValidation(answer);
          const accepted = rejected ? successOf(call, proxy) : before;
          if (!isSuccess(accepted)) return before;
          const body = jsonOf(accepted);
          const sent = rejected ? sentPointer?.(call) : undefined;
          if (sent !== undefined && mentionsField(answer, sent.at(-1) ?? "")) return accepted;
          const written = change({ body }, call);
          if (written === undefined || body === undefined) return before;
          remember(overrides, { answer: accepted, call, proxy }, written);
          return withBody(accepted, withValueAt(body, written.pointer, written.value));
        },
      };
    },
  };
}

/** Also other responses show the value. */
export function remember(
  overrides: Overrides,
  { answer, call, proxy }: { readonly answer: ProxyResponse; readonly call: Call; readonly proxy: ProxyContext },
  { pointer, value }: Written,
): void {
  const object = shownObject(answer, call, proxy);
  if (object !== undefined) overrides.set(object, pointer, value);
}

/** The object that a response is. */
export function shownObject(answer: ProxyResponse, { operation }: Call, { api }: ProxyContext): ObjectKey | undefined {
  const body = jsonOf(answer);
  if (body === undefined) return undefined;
  let found: ObjectKey | undefined;
  visitResponse(api, { operation, status: answer.status, body }, ({ schema, value, path }) => {
    const resource = path.length === 0 ? isResource(api, schema) : undefined;
    const id = idOf(value);
    if (resource !== undefined && id !== undefined) found = { resource, id };
  });
  return found;
}
