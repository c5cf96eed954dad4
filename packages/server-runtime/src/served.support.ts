/** Small hand-written descriptions, and a server of them without a socket. */
import { integer, one, operation, type BodyDefinition, type Operation } from "@plumbline/validator-runtime";
import type { ServedApi } from "./api.js";
import type { Call, Caller } from "./call.js";
import type { Failures } from "./errors.js";
import { fetchHandler } from "./fetch.js";
import type { LogEntry, ServeOptions } from "./options.js";
import type { Store } from "./resources.js";
import { serve, type AnyHandlers } from "./serve.js";
import { asGiven } from "./shown.js";

export interface Described extends Partial<ServedApi> {
  /** `GET /houses/{house}` by name. Without a path, a linked operation. */
  readonly lines: Readonly<Record<string, string>>;
  /** Bodies by operation. Other operations except GET accept any JSON. */
  readonly bodies?: Readonly<Record<string, BodyDefinition>>;
  /** Errors of every operation. */
  readonly known?: Failures;
}

/** A description with a bearer scheme, integer parameters, and responses of any schema. */
export function described({ lines, bodies = {}, known = {}, ...tables }: Described): ServedApi {
  const all = Object.entries(lines).map(([name, line]) => made(name, line, bodies[name]));
  const each = <T>(value: T) => Object.fromEntries(all.map(({ definition }) => [definition.name, value]));
  return {
    operations: all.filter(({ definition }) => definition.path !== ""),
    linked: all.filter(({ definition }) => definition.path === ""),
    schemes: { bearer: { kind: "bearer" } },
    grammar: undefined,
    security: each([[{ scheme: "bearer", scopes: [] }]]),
    ceilings: {},
    resources: {},
    operationResources: {},
    grants: {},
    limits: {},
    states: {},
    changes: {},
    values: {},
    merged: {},
    refusals: {},
    failures: each(known),
    sharedFailures: {},
    byStatus: {},
    shown: each({ 200: { "application/json": asGiven }, 204: {}, 409: { "application/json": asGiven } }),
    visibleTo: {},
    replyHeaders: {},
    replies: async () => {
      const json = { "application/json": () => undefined };
      return each({ 200: json, 204: {}, 409: json });
    },
    headers: { requestId: "X-Request-Id" },
    basePaths: ["/v1"],
    ...tables,
  };
}

function made(name: string, line: string, body: BodyDefinition | undefined): Operation {
  const [method = "", path = ""] = line.split(" ");
  const names = path === "" ? [] : [...path.matchAll(/\{(\w+)\}/g)].map(([, each = ""]) => each);
  const anything = method === "GET" ? undefined : { contents: { "application/json": {} } };
  const given = body ?? anything;
  return operation({
    name,
    method,
    path,
    parameters: names.map((each) => ({ name: each, in: "path", required: true, read: one(integer) })),
    ...(given === undefined ? {} : { body: given }),
  });
}

export interface Told {
  readonly status: number;
  /** By lower-case name, in alphabetical order. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Asked {
  /** Default: `ann`. Null for none. */
  readonly token?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent unchanged in place of a JSON body. */
  readonly raw?: BodyInit;
}

export interface Serving {
  ask(line: string, asked?: Asked): Promise<Told>;
  readonly calls: {
    readonly operation: string;
    readonly input: Readonly<Record<string, unknown>>;
    readonly call: Call;
  }[];
  readonly log: LogEntry[];
}

export const callers: Readonly<Record<string, Caller>> = {
  ann: { user: "ann", account: { id: "a" } },
  bob: { user: "bob", account: { id: "b" } },
  eve: { user: "eve", account: { id: "a" }, restricted: true },
};

/** A server. Operations without a handler respond with `{}`; tokens are the names of callers. */
export function serving(
  api: ServedApi,
  handlers: Readonly<Record<string, (input: Readonly<Record<string, unknown>>, call: Call) => unknown>> = {},
  options: ServeOptions = {},
): Serving {
  const calls: Serving["calls"] = [];
  const log: LogEntry[] = [];
  const noting = [...api.operations, ...api.linked].map(({ definition: { name } }) => {
    const handler = (input: Readonly<Record<string, unknown>>, call: Call): unknown => {
      calls.push({ operation: name, input, call });
      return handlers[name] === undefined ? { status: 200, body: {} } : handlers[name](input, call);
    };
    return [name, handler] as const;
  });
  const server = serve(api, Object.fromEntries(noting) as AnyHandlers, {
    authenticate: {
      bearer: (token: string) => (callers[token] === undefined ? undefined : { caller: callers[token] }),
    },
    requestId: () => "r",
    clock: () => 0,
    log: (entry) => log.push(entry),
    ...options,
  });
  const handle = fetchHandler(server);
  const ask: Serving["ask"] = async (line, { token = "ann", body, headers = {}, raw } = {}) => {
    const [method = "", path = ""] = line.split(" ");
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent, duplex: "half" }),
    });
    const reply = await handle(request, { address: "192.0.2.1" });
    const told = [...reply.headers].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return { status: reply.status, headers: Object.fromEntries(told), text: await reply.text() };
  };
  return { ask, calls, log };
}

/** A stored row: `id`, `owner` and `parent`, and further fields. */
export interface Row {
  readonly id: number | string;
  readonly owner?: Readonly<Partial<Record<"account" | "user" | "client", string>>>;
  readonly parent?: number | null;
  readonly [field: string]: unknown;
}

/** Stores of rows, and every call of `load`: `House id 1,2`. */
export function storesOf(tables: Readonly<Record<string, readonly Row[]>>): {
  readonly stores: Readonly<Record<string, Store>>;
  readonly loads: string[];
} {
  const loads: string[] = [];
  const stores = Object.entries(tables).map(([name, rows]) => {
    const store = {
      load: ({ by, values }: { readonly by: string; readonly values: readonly unknown[] }) => {
        loads.push(`${name} ${by} ${values.join(",")}`);
        return rows.filter((row) => values.includes(row[by]));
      },
      owner: (row: unknown) => (row as Row).owner ?? {},
      parent: (row: unknown) => (row as Row).parent,
      own: ({ caller }: Call) => rows.find(({ owner }) => owner?.user === caller?.user),
    };
    return [name, store as Store] as const;
  });
  return { stores: Object.fromEntries(stores), loads };
}
