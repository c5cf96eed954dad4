import { type Api, type Json, type Operation, type Parameter, type Schema, schemasByName } from "../model/index.js";
import { conversionsOf } from "./conversions/conversions.js";
import { convertedLiteral } from "./conversions/converted-literal.js";
import { type Code, code, joinCode, propertyKey } from "./printer.js";

/** An operation of a README's first example, and its request as code, if it needs one. */
export interface ExampleOperation {
  readonly operation: Operation;
  readonly request: Code | undefined;
}

/** Returns the operation that a newcomer would call first: a list, else another one that only reads. */
export function firstRead(api: Api): ExampleOperation | undefined {
  const reads = api.operations.filter(({ method, deprecated }) => method === "GET" && !deprecated);
  const free = reads.filter((operation) => !needsRequest(operation));
  const list = free.find(({ pagination }) => pagination !== undefined) ?? free.find((each) => returnsList(api, each));
  const plain = list ?? free[0];
  if (plain !== undefined) return { operation: plain, request: undefined };
  for (const operation of reads) {
    const request = exampleRequest(api, operation);
    if (request !== undefined) return { operation, request };
  }
  return undefined;
}

/** Whether an operation creates something, which an example can show without harm. */
export function isCreation({ method, name, responses }: Operation): boolean {
  if (method !== "POST") return false;
  return responses.some(({ status }) => status === 201) || /^(add|create|insert|new)/i.test(name);
}

function needsRequest({ parameters, requestBody }: Operation): boolean {
  return parameters.some(({ required }) => required) || requestBody?.required === true;
}

function returnsList(api: Api, { responses }: Operation): boolean {
  const contents = responses.find(({ status }) => status === 200)?.contents ?? [];
  return contents.some(({ schema }) => resolved(api, schema).types.includes("array"));
}

const places = { path: "path", query: "query", header: "headers", cookie: "cookies" } as const;

function exampleRequest(api: Api, { parameters, requestBody }: Operation): Code | undefined {
  if (requestBody?.required === true) return undefined;
  const required = parameters.filter((each) => each.required);
  const values = required.map((each) => exampleValue(api, each));
  if (values.includes(undefined)) return undefined;
  const groups = Object.entries(places).flatMap(([place, group]) => {
    const fields = required.flatMap((each, index) =>
      each.in === place
        ? [code`${propertyKey(each.name)}: ${convertedLiteral(values[index] ?? null, each.schema, conversionsOf(api))}`]
        : [],
    );
    return fields.length === 0 ? [] : [code`${propertyKey(group)}: { ${joinCode(fields, code`, `)} }`];
  });
  return code`{ ${joinCode(groups, code`, `)} }`;
}

/** A value that the type of a parameter allows. */
function exampleValue(api: Api, { schema }: Parameter): Json | undefined {
  const { const: only, enum: listed, types } = resolved(api, schema);
  if (only !== undefined) return only;
  if (listed !== undefined) return listed[0];
  if (types.includes("string"))
    return conversionsOf(api)?.converterOf(schema) ? exampleDates.get(resolved(api, schema).format ?? "") : "example";
  if (types.includes("integer") || types.includes("number")) return 1;
  return types.includes("boolean") ? true : undefined;
}

const exampleDates: ReadonlyMap<string, string> = new Map([
  ["date-time", "2026-01-31T12:00:00Z"],
  ["date", "2026-01-31"],
]);

function resolved(api: Api, schema: Schema): Schema {
  return (schema.ref === undefined ? undefined : schemasByName(api).get(schema.ref)) ?? schema;
}
