import type { Json } from "@plumbline/conformance-runtime";
import { isJsonObject } from "@plumbline/kit/model";
import type { RunningService } from "../faulty-service.js";
import type { ProxyRequest } from "../proxy.js";
import { resolveReference, operationsOf, type DocumentNode } from "./description.js";

export type BodyFields = Readonly<Record<string, Json>>;

/**
 * Additional fields for the valid body of an operation: those with examples or simple bounds. The service reports which fields conflict,
 * and these are left out. Both tools test only the fields that a request has.
 */
export async function moreFields(
  running: RunningService,
  {
    document,
    name,
    requests,
  }: { readonly document: DocumentNode; readonly name: string; readonly requests: readonly ProxyRequest[] },
): Promise<BodyFields> {
  const [fitting] = requests.map((each) => fieldsOf(each.body));
  const body = resolveReference(operationsOf(document).get(name)?.operation["requestBody"], document);
  const media = isJsonObject(body["content"]) ? body["content"]["application/json"] : undefined;
  if (fitting === undefined || !isJsonObject(media)) return {};
  const example = isJsonObject(media["example"]) ? (media["example"] as BodyFields) : {};
  const sample = sampleOf(media["schema"], document, 0);
  let more = without({ ...(isJsonObject(sample) ? sample : {}), ...example }, Object.keys(fitting));
  // In sequence, like the tools: values that are unique among all accounts cannot be used twice.
  for (const request of requests) {
    for (let tries = 0; Object.keys(more).length > 0; tries++) {
      const { authorization = "", "content-type": type = "application/json" } = request.headers;
      const answer = await fetch(running.url + request.target, {
        method: request.method,
        headers: { authorization, "content-type": type },
        body: withFields(request, more).body,
      });
      if (answer.ok) break;
      const wrong = wrongFields((await answer.json()) as Json).filter((field) => field in more);
      if (wrong.length === 0 || tries === maxAttempts) return {};
      more = without(more, wrong);
    }
  }
  return more;
}

const maxAttempts = 5;

/** A request body with additional fields. */
export function withFields(request: ProxyRequest, more: BodyFields): ProxyRequest {
  const fitting = fieldsOf(request.body);
  return fitting === undefined ? request : { ...request, body: JSON.stringify({ ...more, ...fitting }) };
}

/** A valid value of a simple schema. */
function sampleOf(given: unknown, document: DocumentNode, depth: number): Json | undefined {
  const schema = resolveReference(given, document);
  const {
    examples,
    example,
    type,
    enum: values,
    format,
    pattern,
    minimum,
    allOf,
    properties,
    items,
    readOnly,
  } = schema;
  if (depth > 3 || readOnly === true) return undefined;
  if (Array.isArray(examples) && examples.length > 0) return examples[0] as Json;
  if (example !== undefined) return example as Json;
  if (Array.isArray(values)) return values.find((each) => each !== null) as Json | undefined;
  const kind: unknown = Array.isArray(type) ? type.find((each) => each !== "null") : type;
  if (isJsonObject(properties) || Array.isArray(allOf)) {
    const parts = [schema, ...(Array.isArray(allOf) ? allOf : []).map((each) => resolveReference(each, document))];
    const found = parts.flatMap(({ properties: own }) =>
      Object.entries(isJsonObject(own) ? own : {}).flatMap(([name, each]) => {
        const value = sampleOf(each, document, depth + 1);
        return value === undefined ? [] : [[name, value] as const];
      }),
    );
    return found.length === 0 ? undefined : Object.fromEntries(found);
  }
  if (kind === "string" && format === "email") return "user@example.com";
  if (kind === "string" && format === undefined && pattern === undefined) return "example-text";
  if (kind === "integer" || kind === "number") return typeof minimum === "number" ? Math.max(minimum, 1) : 1;
  if (kind !== "array") return undefined;
  const item = sampleOf(items, document, depth + 1);
  return item === undefined ? undefined : [item];
}

/** The top-level fields in the entries of an error. */
function wrongFields(answer: Json): readonly string[] {
  const errors = isJsonObject(answer) ? answer["errors"] : undefined;
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((each: Json) =>
    isJsonObject(each) && typeof each["field"] === "string" ? [each["field"].split(/[.[]/)[0] ?? ""] : [],
  );
}

function fieldsOf(text: string): BodyFields | undefined {
  if (text === "") return undefined;
  const value = JSON.parse(text) as Json;
  return isJsonObject(value) ? value : undefined;
}

function without(fields: BodyFields, names: readonly string[]): BodyFields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
