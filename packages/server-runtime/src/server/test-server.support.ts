/** Small hand-written descriptions, and a server of them without a socket. */
import { integerValue, singleValue, defineOperation, type BodyDefinition, type Operation } from "../http/index.js";
import { fetchHandler } from "./adapters/fetch/index.js";
import { createBaseServer } from "./create-server.js";
import type { ErrorDefinitions } from "./errors/errors.js";
import type { AnyHandlers } from "./handlers.js";
import type { LogEntry, BaseServerOptions } from "./options.js";
import type { RequestContext, Caller } from "./request/request-context.js";
import type { ResourceStore } from "./resources/resources.js";
import { passthrough } from "./response/serializers.js";
import type { ServerDefinition } from "./server-definition.js";

export interface TestDescription extends Partial<ServerDefinition> {
  /** `GET /houses/{house}` by name. Without a path, an operation whose route the options give. */
  readonly lines: Readonly<Record<string, string>>;
  /** Bodies by operation. Other operations except GET accept any JSON. */
  readonly bodies?: Readonly<Record<string, BodyDefinition>>;
  /** Errors of every operation. */
  readonly known?: ErrorDefinitions;
}

/** A description with a bearer scheme, integer parameters, and responses of any schema. */
export function describeApi({ lines, bodies = {}, known = {}, ...tables }: TestDescription): ServerDefinition {
  const all = Object.entries(lines).map(([name, line]) => createOperation(name, line, bodies[name]));
  const each = <T>(value: T) => Object.fromEntries(all.map(({ definition }) => [definition.name, value]));
  return {
    operations: all.filter(({ definition }) => definition.path !== ""),
    operationsWithoutPath: all.filter(({ definition }) => definition.path === ""),
    securitySchemes: { bearer: { kind: "bearer" } },
    scopeGrammar: undefined,
    security: each([[{ scheme: "bearer", scopes: [] }]]),
    scopeCeilings: {},
    resources: {},
    operationResources: {},
    grants: {},
    callers: { needNoGrants: { limited: [false] }, namedGrants: "named" },
    limits: {},
    stateRules: {},
    mutability: {},
    valueRules: {},
    mergedSchemas: {},
    errorRules: {},
    errors: each(known),
    sharedErrors: {},
    sharedErrorByStatus: {},
    serializers: each({ 200: { "application/json": passthrough }, 204: {}, 409: { "application/json": passthrough } }),
    responseVisibility: {},
    responseHeaders: {},
    responseValidators: async () => {
      const json = { "application/json": () => undefined };
      return each({ 200: json, 204: {}, 409: json });
    },
    headerNames: { requestId: "X-Request-Id" },
    basePaths: ["/v1"],
    ...tables,
  };
}

function createOperation(name: string, line: string, body: BodyDefinition | undefined): Operation {
  const [method = "", path = ""] = line.split(" ");
  const names = path === "" ? [] : [...path.matchAll(/\{(\w+)\}/g)].map(([, each = ""]) => each);
  const anything = method === "GET" ? undefined : { contents: { "application/json": {} } };
  const given = body ?? anything;
  return defineOperation({
    name,
    method,
    path,
    parameters: names.map((each) => ({ name: each, in: "path", required: true, decode: singleValue(integerValue) })),
    ...(given === undefined ? {} : { body: given }),
  });
}

export interface TestResponse {
  readonly status: number;
  /** By lower-case name, in alphabetical order. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface TestRequest {
  /** Default: `ann`. Null for none. */
  readonly token?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent unchanged in place of a JSON body. */
  readonly raw?: BodyInit;
}

export interface TestServer {
  ask(line: string, asked?: TestRequest): Promise<TestResponse>;
  readonly calls: {
    readonly operation: string;
    readonly input: Readonly<Record<string, unknown>>;
    readonly call: RequestContext;
  }[];
  readonly log: LogEntry[];
}

export interface TestCaller extends Caller {
  readonly account?: { readonly id: string };
  readonly limited?: boolean;
}

export const callers: Readonly<Record<string, TestCaller>> = {
  ann: { user: "ann", account: { id: "a" } },
  bob: { user: "bob", account: { id: "b" } },
  eve: { user: "eve", account: { id: "a" }, limited: true },
};

/** A server. Operations without a handler respond with `{}`; tokens are the names of callers. */
export function createTestServer(
  api: ServerDefinition,
  handlers: Readonly<Record<string, (input: Readonly<Record<string, unknown>>, call: RequestContext) => unknown>> = {},
  options: BaseServerOptions = {},
): TestServer {
  const calls: TestServer["calls"] = [];
  const log: LogEntry[] = [];
  const noting = [...api.operations, ...api.operationsWithoutPath].map(({ definition: { name } }) => {
    const handler = (input: Readonly<Record<string, unknown>>, call: RequestContext): unknown => {
      calls.push({ operation: name, input, call });
      return handlers[name] === undefined ? { status: 200, body: {} } : handlers[name](input, call);
    };
    return [name, handler] as const;
  });
  const server = createBaseServer(api, Object.fromEntries(noting) as AnyHandlers, {
    authenticate: {
      bearer: (token: string) => (callers[token] === undefined ? undefined : { caller: callers[token] }),
    },
    requestId: () => "r",
    clock: () => 0,
    log: (entry) => log.push(entry),
    ...options,
  });
  const handle = fetchHandler(server);
  const ask: TestServer["ask"] = async (line, { token = "ann", body, headers = {}, raw } = {}) => {
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
    const response = await handle(request, { address: "192.0.2.1" });
    const reported = [...response.headers].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return { status: response.status, headers: Object.fromEntries(reported), text: await response.text() };
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
  readonly stores: Readonly<Record<string, ResourceStore>>;
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
      own: ({ caller }: RequestContext) => rows.find(({ owner }) => owner?.user === caller?.user),
    };
    return [name, store as ResourceStore] as const;
  });
  return { stores: Object.fromEntries(stores), loads };
}
