import type { Json } from "@plumbline/conformance-runtime";
import type { Running } from "../faulty.js";
import type { Asked } from "../proxy.js";
import { followed, isNode, operationsOf, type Node } from "./description.js";

export type Fields = Readonly<Record<string, Json>>;

/**
 * Additional fields for the valid body of an operation: those with examples or simple bounds. The service reports which fields conflict,
 * and these are left out. Both tools test only the fields that a request has.
 */
export async function moreFields(
  running: Running,
  { document, name, requests }: { readonly document: Node; readonly name: string; readonly requests: readonly Asked[] },
): Promise<Fields> {
  const [fitting] = requests.map((each) => fieldsOf(each.body));
  const body = followed(operationsOf(document).get(name)?.operation["requestBody"], document);
  const media = isNode(body["content"]) ? body["content"]["application/json"] : undefined;
  if (fitting === undefined || !isNode(media)) return {};
  const example = isNode(media["example"]) ? (media["example"] as Fields) : {};
  const sample = sampleOf(media["schema"], document, 0);
  let more = without({ ...(isNode(sample) ? sample : {}), ...example }, Object.keys(fitting));
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
      if (wrong.length === 0 || tries === mostTries) return {};
      more = without(more, wrong);
    }
  }
  return more;
}

const mostTries = 5;

/** A request body with additional fields. */
export function withFields(request: Asked, more: Fields): Asked {
  const fitting = fieldsOf(request.body);
  return fitting === undefined ? request : { ...request, body: JSON.stringify({ ...more, ...fitting }) };
}

/** A valid value of a simple schema. */
function sampleOf(given: unknown, document: Node, depth: number): Json | undefined {
  const schema = followed(given, document);
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
  if (isNode(properties) || Array.isArray(allOf)) {
    const parts = [schema, ...(Array.isArray(allOf) ? allOf : []).map((each) => followed(each, document))];
    const found = parts.flatMap(({ properties: own }) =>
      Object.entries(isNode(own) ? own : {}).flatMap(([name, each]) => {
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
  const errors = isNode(answer) ? answer["errors"] : undefined;
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((each: Json) =>
    isNode(each) && typeof each["field"] === "string" ? [each["field"].split(/[.[]/)[0] ?? ""] : [],
  );
}

function fieldsOf(text: string): Fields | undefined {
  if (text === "") return undefined;
  const value = JSON.parse(text) as Json;
  return isNode(value) ? value : undefined;
}

function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
