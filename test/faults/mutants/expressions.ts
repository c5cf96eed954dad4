import { findTarget, schemaParts, findJsonContent, type Api, type Expression, type Json } from "@plumbline/kit/model";
import { isJsonObject } from "@plumbline/kit/model";
import type { ProxyResponse } from "../proxy.js";
import { jsonOf } from "./messages.js";
import type { Call, JsonObject, Memory } from "./mutant.js";
import { idText, type ObjectKey } from "./overrides.js";

export interface Evaluated {
  readonly api: Api;
  readonly call: Call;
  readonly memory: Memory;
  /** Absent before the response. */
  readonly answer?: ProxyResponse;
}

/** The values of an expression, as far as requests and responses show them. */
export function valuesOf({ root, part, name, pointer }: Expression, evaluated: Evaluated): readonly Json[] {
  const { call, answer } = evaluated;
  switch (root) {
    case "request":
      if (part === "path") return call.path[name ?? ""] === undefined ? [] : [call.path[name ?? ""] ?? null];
      return part === "body" ? atPointer(call.body, pointer) : [];
    case "response":
      return answer === undefined ? [] : atPointer(jsonOf(answer), pointer);
    case "target":
      return atPointer(targetOf(evaluated), pointer);
    case "refs":
      return atPointer(referredTo(part ?? "", evaluated), pointer);
    case "caller":
    case "relative":
      return [];
  }
}

/** Reads an expression that the model has as text, such as `$request.path.imageId` or `$response.body#/id`. */
export function parseExpression(text: string): Expression | undefined {
  const found = /^\$(request|response|target)(?:\.(path|query|header|body)(?:\.(\w+))?)?(?:#(\/.*))?$/.exec(text);
  if (found === null) return undefined;
  const [, root = "", part, name, pointer = ""] = found;
  return {
    text,
    root: root as "request" | "response" | "target",
    ...(part === undefined ? {} : { part }),
    ...(name === undefined ? {} : { name }),
    pointer: pointer.split("/").slice(1),
  };
}

function atPointer(value: Json | undefined, [token, ...rest]: readonly string[]): readonly Json[] {
  if (value === undefined) return [];
  if (token === undefined) return Array.isArray(value) ? (value as readonly Json[]) : [value];
  if (Array.isArray(value))
    return (
      token === "*" ? (value as readonly Json[]) : (value as readonly Json[]).slice(Number(token), Number(token) + 1)
    ).flatMap((each) => atPointer(each, rest));
  if (!isJsonObject(value)) return [];
  if (token === "*") return Object.values(value).flatMap((each) => atPointer(each, rest));
  return Object.hasOwn(value, token) ? atPointer(value[token], rest) : [];
}

/** The object that the path of a request identifies. */
export function targetKey({ api, call }: Pick<Evaluated, "api" | "call">): ObjectKey | undefined {
  const target = findTarget(api, call.operation);
  const id = target?.parameter === undefined ? undefined : call.path[target.parameter];
  return target === undefined || id === undefined
    ? undefined
    : { resource: target.resource, id: decodeURIComponent(id) };
}

function targetOf(evaluated: Evaluated): JsonObject | undefined {
  const key = targetKey(evaluated);
  return key === undefined ? undefined : evaluated.memory.objects.get(key.resource)?.get(key.id);
}

/** The object that a field of the request body refers to. */
function referredTo(field: string, { api, call, memory }: Evaluated): JsonObject | undefined {
  const content = findJsonContent(call.operation.requestBody?.contents ?? []);
  const property =
    content === undefined
      ? undefined
      : schemaParts(api, content.schema)
          .flatMap(({ properties = [] }) => properties)
          .find(({ name }) => name === field);
  const reference =
    property === undefined
      ? undefined
      : schemaParts(api, property.schema).find((each) => each.reference !== undefined)?.reference;
  const value = isJsonObject(call.body) ? call.body[field] : undefined;
  return reference === undefined ? undefined : memory.objects.get(reference.to)?.get(idText(value) ?? "");
}
