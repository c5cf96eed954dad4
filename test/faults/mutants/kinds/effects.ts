import { findTarget, isJsonObject, type Api, type Effect, type Json, type Operation } from "@plumbline/kit/model";
import type { ProxyResponse } from "../../proxy.js";
import { parseExpression, targetKey, valuesOf } from "../expressions.js";
import { anotherValue } from "../invalid-values.js";
import { idOf, pathOf } from "../memory.js";
import { errorOf, isSuccess, jsonOf } from "../messages.js";
import type { Call, Mutant, ProxyContext, Violation } from "../mutant.js";
import { createOverrides, idText, mapObjects, valueAt, type ObjectKey } from "../overrides.js";
import { placeOf, requirementsOf } from "../statements.js";
import { isValid } from "../validation.js";
import { itemsOf, withItems } from "./lists.js";
import { mutantOf } from "./operations.js";
import { shownObject } from "./written-values.js";

/** Effects that do not happen: those that operations state, and those that every creation, update and deletion has. */
export function effectMutants(api: Api): readonly Mutant[] {
  return api.operations.flatMap((operation) => [
    ...operation.effects.flatMap((effect) => statedEffect(api, operation, effect)),
    ...plainEffects(api, operation),
  ]);
}

function plainEffects(api: Api, operation: Operation): readonly Mutant[] {
  const statement = {
    place: placeOf(operation.origin),
    requirements: requirementsOf(operation.sources),
    operations: api.operations,
  };
  const resource = api.resources.find((each) => each.delete === operation.name);
  const own = (mutant: Mutant): Mutant => ({ ...mutant, operations: [operation.name] });
  if (resource !== undefined)
    return [
      own(
        mutantOf(statement, { kind: "effect delete", detail: `${operation.name}/remains` }, () =>
          keeping(api, operation, resource.name),
        ),
      ),
    ];
  if (operation.method === "POST" && createdResource(api, operation) !== undefined)
    return [
      own(
        mutantOf(statement, { kind: "effect create", detail: `${operation.name}/is not there` }, () =>
          hidingCreated(operation),
        ),
      ),
    ];
  if (operation.method === "PUT" || operation.method === "PATCH")
    return [
      own(
        mutantOf(statement, { kind: "not stored", detail: `${operation.name}/is not stored` }, () =>
          notStored(operation),
        ),
      ),
    ];
  return [];
}

function createdResource(api: Api, operation: Operation): string | undefined {
  const target = findTarget(api, operation);
  const created = operation.responses.find(({ status }) => status === 200 || status === 201);
  const ref = created?.contents[0]?.schema.ref;
  const resource = api.resources.find(({ name }) => name === ref);
  if (resource === undefined) return undefined;
  // An action on an object responds with the same object, unless its state begins there.
  const begins = api.stateMachines.some(({ initial }) =>
    initial.some(({ event }) => event.kind === "operation" && event.operation === operation.name),
  );
  return target?.resource === resource.name && !begins ? undefined : resource.name;
}

/** What a request creates is neither read nor listed. */
function hidingCreated(operation: Operation): Violation {
  const hidden: ObjectKey[] = [];
  return {
    onResponse: (answer, call, proxy) => {
      if (call.operation.name === operation.name) {
        const object = isSuccess(answer) ? shownObject(answer, call, proxy) : undefined;
        if (object !== undefined && proxy.memory.objects.get(object.resource)?.has(object.id) !== true)
          hidden.push(object);
        return answer;
      }
      return hiding(answer, { call, proxy, isHidden: (object) => hidden.some((each) => isSame(each, object)) });
    },
  };

  function isSame(a: ObjectKey, b: ObjectKey): boolean {
    return a.resource === b.resource && a.id === b.id;
  }
}

function hiding(
  answer: ProxyResponse,
  {
    call,
    proxy,
    isHidden,
  }: {
    readonly call: Call;
    readonly proxy: ProxyContext;
    readonly isHidden: (object: ObjectKey, value?: Json) => boolean;
  },
): ProxyResponse {
  const target = targetKey({ api: proxy.api, call });
  if (target !== undefined && isSuccess(answer) && isHidden(target)) return errorOf(404, call, proxy);
  return mapObjects(answer, { call, api: proxy.api }, ({ object, value, isItem }) =>
    isItem && isHidden(object, value) ? undefined : value,
  );
}

/** What a request changes is shown by its response alone. */
function notStored(operation: Operation): Violation {
  const old = new Map<string, ProxyResponse>();
  const overrides = createOverrides();
  return {
    onRequest: async (call, { send }) => {
      if (call.operation.name !== operation.name) return undefined;
      const before = await read(pathOf(call.request.target), call, send);
      if (isSuccess(before)) old.set(pathOf(call.request.target), before);
      return undefined;
    },
    onResponse: (answer, call, proxy) => {
      const path = pathOf(call.request.target);
      const before = jsonOf(old.get(path) ?? { body: "" });
      const after = jsonOf(answer);
      if (call.operation.name === operation.name) {
        const object = shownObject(answer, call, proxy);
        if (object === undefined || !isSuccess(answer) || !isJsonObject(before) || !isJsonObject(after)) return answer;
        for (const [name, value] of Object.entries(before as Readonly<Record<string, Json>>))
          if (JSON.stringify(value) !== JSON.stringify(after[name])) overrides.set(object, [name], value);
        return answer;
      }
      const isSameObject =
        call.operation.method === "GET" && isSuccess(answer) && shownObject(answer, call, proxy) === undefined;
      const known = old.get(path);
      return isSameObject && known !== undefined ? known : overrides.apply(answer, call, proxy);
    },
  };
}

async function read(path: string, { request }: Call, send: ProxyContext["send"]): Promise<ProxyResponse> {
  const { "content-type": _type, "content-length": _length, ...headers } = request.headers;
  return send({ method: "GET", target: path, headers, body: "" });
}

/** The objects of a resource, before a request, remain after it: read, and in lists. */
function keeping(
  api: Api,
  operation: Operation,
  resource: string,
  isMeant: (call: Call) => boolean = () => true,
): Violation {
  const kept = new Map<string, ProxyResponse>();
  const items = new Map<string, readonly Json[]>();
  return {
    onRequest: async (call, { send, memory }) => {
      if (call.operation.name !== operation.name || !isMeant(call)) return undefined;
      for (const path of pathsOf(api, { resource, call, memory })) {
        const before = await read(path, call, send);
        if (!isSuccess(before)) continue;
        kept.set(path, before);
        const list = api.operations.find(
          ({ name }) => name === api.resources.find((each) => each.name === resource)?.list,
        );
        const name = list === undefined ? undefined : itemsOf(api, list)?.name;
        const body = jsonOf(before);
        const shown = name === undefined ? body : isJsonObject(body) ? body[name] : undefined;
        if (Array.isArray(shown)) items.set(path, shown as readonly Json[]);
        for (const item of items.get(path) ?? []) {
          const own = idOf(item);
          const inner = own === undefined ? undefined : await read(`${path}/${encodeURIComponent(own)}`, call, send);
          if (inner !== undefined && isSuccess(inner)) kept.set(`${path}/${own}`, inner);
        }
      }
      return undefined;
    },
    onResponse: (answer, call) => {
      const path = pathOf(call.request.target);
      if (call.operation.method !== "GET") return answer;
      const known = kept.get(path) ?? kept.get(decodeURIComponent(path));
      if (known !== undefined && answer.status === 404) return known;
      const those = items.get(path);
      const name = itemsOf(api, call.operation)?.name;
      if (those === undefined) return answer;
      return withItems(answer, name, (shown) => {
        const ids = new Set(shown.map(idOf));
        return [...shown, ...those.filter((each) => !ids.has(idOf(each)))];
      });
    },
  };
}

/** The paths from which the objects of a resource are read that a request may delete. */
function pathsOf(
  api: Api,
  {
    resource,
    call,
    memory,
  }: { readonly resource: string; readonly call: Call; readonly memory: ProxyContext["memory"] },
): readonly string[] {
  const { list, read: reading } = api.resources.find(({ name }) => name === resource) ?? {};
  const names = new Set([list, reading, resource]);
  const operations = api.operations.filter(({ name, method }) => names.has(name) && method === "GET");
  const lastChild =
    findTarget(api, call.operation)?.resource === resource
      ? []
      : [...(memory.objects.get(resource)?.keys() ?? [])].slice(-8);
  return operations.flatMap(({ path, name }) => {
    const filled = path.replaceAll(/\{([^}]+)\}/g, (all, parameter: string) => call.path[parameter] ?? all);
    if (!filled.includes("{")) return [filled];
    const missing = filled.match(/\{[^}]+\}/g) ?? [];
    if (missing.length !== 1 || name !== reading || !filled.endsWith("}")) return [];
    return lastChild.map((id) => filled.replace(/\{[^}]+\}$/, encodeURIComponent(id)));
  });
}

function statedEffect(api: Api, operation: Operation, effect: Effect): readonly Mutant[] {
  const { does, to, origin, sources, id, when } = effect;
  const statement = { place: placeOf(origin), requirements: requirementsOf(sources), operations: api.operations };
  const isMeant = (call: Call): boolean => when?.body === undefined || isValid(api, when.body, call.body ?? {});
  const own = (mutant: Mutant): Mutant => ({ ...mutant, operations: [operation.name] });
  const detail = `${operation.name}/${id}`;
  if (to === undefined) return [];
  if (does === "create" && effect.count !== 0 && isReadable(api, to))
    return [
      own(mutantOf(statement, { kind: "effect create", detail }, () => hidingNew({ operation, effect, isMeant }))),
    ];
  // What no operation shows can neither remain nor be replaced for a client.
  if ((does === "delete" || does === "replace") && !isReadable(api, to)) return [];
  if (does === "replace")
    return api.operations.some(({ name }) => name === to)
      ? [own(mutantOf(statement, { kind: "effect delete", detail }, () => repeating({ api, operation, to, isMeant })))]
      : [];
  if (does === "delete")
    return [own(mutantOf(statement, { kind: "effect delete", detail }, () => keeping(api, operation, to, isMeant)))];
  if (does === "set" || does === "add" || does === "remove")
    return [own(mutantOf(statement, { kind: "effect set", detail }, () => unchanged({ operation, effect, isMeant })))];
  return [];
}

function isReadable({ operations, resources }: Api, to: string): boolean {
  const { list, read: reading } = resources.find(({ name }) => name === to) ?? {};
  return list !== undefined || reading !== undefined || operations.some(({ name }) => name === to);
}

interface Repeated {
  readonly api: Api;
  readonly operation: Operation;
  /** The operation that reads what a request replaces. */
  readonly to: string;
  readonly isMeant: (call: Call) => boolean;
}

/** What a request replaces is shown as before. */
function repeating({ api, operation, to, isMeant }: Repeated): Violation {
  const kept = new Map<string, ProxyResponse>();
  return {
    onRequest: async (call, { send }) => {
      const { method, path } = api.operations.find(({ name }) => name === to) ?? { method: "", path: "" };
      if (call.operation.name !== operation.name || method !== "GET" || !isMeant(call)) return undefined;
      const filled = path.replaceAll(/\{([^}]+)\}/g, (all, name: string) => call.path[name] ?? all);
      const before = filled.includes("{") ? undefined : await read(filled, call, send);
      if (before !== undefined && isSuccess(before)) kept.set(filled, before);
      return undefined;
    },
    onResponse: (answer, call) =>
      call.operation.name === to && isSuccess(answer) ? (kept.get(pathOf(call.request.target)) ?? answer) : answer,
  };
}

interface EffectOf {
  readonly operation: Operation;
  readonly effect: Effect;
  readonly isMeant: (call: Call) => boolean;
}

/** Objects that appear after a request, with the values of its effect, are not shown. */
function hidingNew({ operation, effect, isMeant }: EffectOf): Violation {
  const { to = "", values } = effect;
  const constants = Object.entries(values).flatMap(([name, source]) =>
    source.kind === "value" ? [[name, source.value] as const] : [],
  );
  let before: ReadonlySet<string> | undefined;
  return {
    onResponse: (answer, call, proxy) => {
      if (call.operation.name === operation.name && isSuccess(answer) && isMeant(call))
        before ??= new Set(proxy.memory.objects.get(to)?.keys() ?? []);
      if (before === undefined) return answer;
      const known = before;
      return hiding(answer, {
        call,
        proxy,
        isHidden: ({ resource, id }, value) =>
          resource === to &&
          !known.has(id) &&
          constants.every(
            ([name, each]) =>
              value === undefined || JSON.stringify(valueAt(value, name.split("."))) === JSON.stringify(each),
          ),
      });
    },
  };
}

/** Fields keep the values that they had before a request. */
function unchanged({ operation, effect, isMeant }: EffectOf): Violation {
  const { to = "", values } = effect;
  const overrides = createOverrides();
  const before = new Map<string, Json>();
  const expression = parseExpression(to);
  const idsOf = (call: Call, { api, memory }: ProxyContext, answer?: ProxyResponse): readonly string[] =>
    expression === undefined
      ? []
      : valuesOf(expression, { api, call, memory, ...(answer === undefined ? {} : { answer }) }).map((each) =>
          decodeURIComponent(idText(each) ?? ""),
        );
  return {
    onRequest: async (call, proxy) => {
      if (call.operation.name !== operation.name || !isMeant(call)) return undefined;
      for (const path of readPaths(call, proxy, to)) {
        const body = jsonOf(await read(path, call, proxy.send));
        if (isJsonObject(body)) before.set(idOf(body) ?? path, body);
      }
      return undefined;
    },
    onResponse: (answer, call, proxy) => {
      if (call.operation.name === operation.name && isSuccess(answer) && isMeant(call)) {
        const ids =
          expression === undefined ? [...(proxy.memory.objects.get(to)?.keys() ?? [])] : idsOf(call, proxy, answer);
        for (const [resource, objects] of proxy.memory.objects)
          for (const id of ids) {
            const old = before.get(id) ?? objects.get(id);
            if (old !== undefined && (to === resource || expression !== undefined))
              for (const name of Object.keys(values)) {
                const value = valueAt(old, name.split("."));
                if (value !== undefined) overrides.set({ resource, id }, name.split("."), value);
              }
          }
        const created = expression?.root === "response" ? shownObject(answer, call, proxy) : undefined;
        const body = jsonOf(answer);
        if (created !== undefined && body !== undefined)
          for (const name of Object.keys(values)) {
            const value = valueAt(body, name.split("."));
            const other =
              value === undefined ? undefined : anotherValue({ types: [], origin: operation.origin }, value);
            if (other !== undefined) overrides.set(created, name.split("."), other);
          }
      }
      return overrides.apply(answer, call, proxy);
    },
  };
}

/** The paths from which objects are read: that of the request without its action, and those of the ids. */
function readPaths({ path, operation }: Call, { api }: ProxyContext, to: string): readonly string[] {
  const filling = (template: string): string =>
    template.replaceAll(/\{([^}]+)\}/g, (all, name: string) => path[name] ?? all);
  const resource = api.resources.find(({ name }) => name === to);
  const reading = api.operations.filter(
    ({ method, path: template }) => method === "GET" && template.endsWith("}") && operation.path.startsWith(template),
  );
  const own = resource === undefined ? [] : api.operations.filter(({ name }) => name === resource.read);
  return [...reading, ...own].map((each) => filling(each.path)).filter((each) => !each.includes("{"));
}
