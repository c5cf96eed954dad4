import { isJsonObject, type Json } from "@plumbline/kit/model";
import { withBody, type ProxyResponse } from "../proxy.js";
import { idOf } from "./memory.js";
import { isSuccess, jsonOf } from "./messages.js";
import type { Call, ProxyContext } from "./mutant.js";
import { isResource, visitResponse } from "./visit-values.js";

/** Fields of objects that a violation shows with other values, wherever the objects appear. */
export interface Overrides {
  readonly set: (object: ObjectKey, pointer: readonly string[], value: Json) => void;
  readonly apply: (answer: ProxyResponse, call: Call, proxy: ProxyContext) => ProxyResponse;
}

export interface ObjectKey {
  readonly resource: string;
  readonly id: string;
}

export function createOverrides(): Overrides {
  const values = new Map<string, Map<string, Json>>();
  return {
    set: (object, pointer, value) => {
      const key = keyOf(object);
      const those = values.get(key) ?? new Map<string, Json>();
      values.set(key, those);
      those.set(JSON.stringify(pointer), value);
    },
    apply: (answer, call, { api }) => {
      if (values.size === 0) return answer;
      return mapObjects(answer, { call, api }, ({ object, value }) => {
        const those = values.get(keyOf(object));
        if (those === undefined) return value;
        return [...those].reduce<Json>(
          (changed, [pointer, each]) => withValueAt(changed, JSON.parse(pointer) as string[], each),
          value,
        );
      });
    },
  };
}

export function keyOf({ resource, id }: ObjectKey): string {
  return `${resource} ${id}`;
}

/** Changes the objects of resources in a success. Undefined removes an object from its list. */
export function mapObjects(
  answer: ProxyResponse,
  { call, api }: { readonly call: Call; readonly api: ProxyContext["api"] },
  change: (shown: { readonly object: ObjectKey; readonly value: Json; readonly isItem: boolean }) => Json | undefined,
): ProxyResponse {
  const body = isSuccess(answer) ? jsonOf(answer) : undefined;
  if (body === undefined) return answer;
  let isChanged = false;
  const removed = new Set<Json>();
  const next = visitResponse(
    api,
    { operation: call.operation, status: answer.status, body },
    ({ schema, value, path, set }) => {
      const resource = isResource(api, schema);
      const id = idOf(value);
      if (resource === undefined || id === undefined || value === undefined) return;
      const isItem = /^\d+$/.test(path.at(-1) ?? "");
      const changed = change({ object: { resource, id }, value, isItem });
      if (changed === value) return;
      isChanged = true;
      if (changed === undefined) removed.add(value);
      else set(changed);
    },
  );
  return isChanged ? withBody(answer, without(next, removed)) : answer;
}

function without(value: Json, removed: ReadonlySet<Json>): Json {
  if (removed.size === 0) return value;
  if (Array.isArray(value))
    return (value as readonly Json[]).filter((each) => !removed.has(each)).map((each) => without(each, removed));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value as Readonly<Record<string, Json>>).map(([name, each]) => [name, without(each, removed)]),
  );
}

/** A text or a number as the id of an object. Undefined for other values. */
export function idText(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** The value at a path. `*` is the first item. */
export function valueAt(value: Json | undefined, [token, ...rest]: readonly string[]): Json | undefined {
  if (token === undefined || value === undefined) return value;
  if (Array.isArray(value)) return valueAt((value as readonly Json[])[token === "*" ? 0 : Number(token)], rest);
  if (!isJsonObject(value)) return undefined;
  return Object.hasOwn(value, token) ? valueAt(value[token], rest) : undefined;
}

/** A copy with another value at a path, if the path leads to one. */
export function withValueAt(value: Json, [token, ...rest]: readonly string[], next: Json): Json {
  if (token === undefined) return next;
  if (Array.isArray(value)) {
    const at = token === "*" ? 0 : Number(token);
    return (value as readonly Json[]).map((each, index) => (index === at ? withValueAt(each, rest, next) : each));
  }
  if (!isJsonObject(value)) return value;
  return {
    ...(value as Readonly<Record<string, Json>>),
    [token]: withValueAt(value[token] ?? null, rest, next),
  };
}
