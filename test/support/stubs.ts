/** A small cloud on the generated stubs: it stores everything in memory, and tests can replace its handlers. */
import { createServer as listen } from "node:http";
import type { AddressInfo } from "node:net";
import {
  createServer,
  errors,
  instanceStatus,
  type RequestContext,
  type Caller,
  type Handlers,
  type Instance,
  type Resources,
  type ServerOptions,
  type ResourceLoaders,
} from "@cloud-compute/server";
import { nodeListener } from "@cloud-compute/server/node";
import type { EntityGrant, LogEntry, Server } from "@plumbline/server-runtime";

/** Stored fields that responses do not contain. */
export type Kept<T> = T & {
  readonly account: string;
  readonly user: string;
  readonly parent: number;
  readonly root_pass_hash: string;
};

export type Rows = { readonly [Name in keyof Resources]: Kept<Resources[Name]> };

export interface Stubs {
  readonly server: Server;
  readonly tables: { readonly [Name in keyof Rows]: Rows[Name][] };
  /** Who a token is, by the token. */
  readonly tokens: Map<string, { readonly caller: Caller; readonly expiresAt?: string }>;
  readonly grants: Map<string, HeldGrants>;
  /** The calls of handlers, newest last. */
  readonly calls: { readonly operation: string; readonly input: unknown; readonly call: RequestContext }[];
  readonly log: LogEntry[];
  /** Every requested load, such as `Instance id 1,2`. */
  readonly loads: string[];
  readonly clock: { now: number };
}

export interface HeldGrants {
  readonly global?: Readonly<Record<string, boolean>>;
  readonly compute?: readonly EntityGrant[];
  readonly image?: readonly EntityGrant[];
  readonly domain?: readonly EntityGrant[];
}

const names = [
  ..."Instance Backup Config Image Region Tag Domain Volume NodeBalancer Cluster Node Pool KubeVersion Profile App Device Login".split(
    " ",
  ),
  ..."SecurityQuestion SSHKey Token DomainRecord Event User InstanceType StackScript Disk Kernel".split(" "),
] as (keyof Resources)[];

export const start = Date.parse("2026-01-01T00:00:00Z");

export function caller(given: Partial<Caller> = {}): Caller {
  return { user: "ann", account: { id: "a", total_payments: 0 }, restricted: false, scopes: "*", ...given };
}

export function kept<T>(row: T, given: Partial<Kept<unknown>> = {}): Kept<T> {
  return { account: "a", user: "ann", parent: 0, root_pass_hash: "a secret", ...given, ...row };
}

export function instance(id: number, given: Partial<Instance> = {}): Instance {
  return {
    id,
    label: `web-${id}`,
    region: "us-east",
    type: "g6-standard-1",
    image: null,
    group: "",
    tags: [],
    ipv4: ["192.0.2.1"],
    ipv6: null,
    status: "offline",
    hypervisor: "kvm",
    host_uuid: "3a3ddd59-d9a7-4bb8-9e04-1391075df44d",
    created: "2026-01-01T00:00:00Z",
    updated: "2026-01-01T00:00:00Z",
    watchdog_enabled: true,
    specs: { disk: 51_200, memory: 2048, transfer: 2000, vcpus: 1, gpus: 0 },
    alerts: { cpu: 90, io: 10_000, network_in: 10, network_out: 10, transfer_quota: 80 },
    backups: { available: false, enabled: false, last_successful: null, schedule: { day: null, window: null } },
    ...given,
  };
}

/** Instead of the default ones; or none at all. */
export type StubHandlers = Partial<Handlers<RequestContext, Rows>> | "none";

/** A server of the API with these handlers, and its stored objects. */
export function makeStubs(
  handlers: StubHandlers = {},
  given: Omit<Partial<ServerOptions<RequestContext, Rows>>, "missingHandlers"> = {},
): Stubs {
  const tables = Object.fromEntries(names.map((name) => [name, []])) as unknown as Stubs["tables"];
  const tokens: Stubs["tokens"] = new Map([["all", { caller: caller() }]]);
  const grants: Stubs["grants"] = new Map();
  const calls: Stubs["calls"] = [];
  const log: LogEntry[] = [];
  const loads: string[] = [];
  const clock = { now: start };
  const options: ServerOptions<RequestContext, Rows> & { readonly missingHandlers: "not-implemented" } = {
    missingHandlers: "not-implemented",
    clock: () => clock.now,
    log: (entry) => log.push(entry),
    authenticate: { bearer: async (token) => tokens.get(token) },
    grants: async ({ user }) => {
      const { global = {}, compute = [], image = [], domain = [] } = grants.get(String(user)) ?? {};
      return { global, compute, image, domain, volume: [], nodebalancer: [], stackscript: [] };
    },
    resources: storesOf(tables, loads),
    limits: {
      countInProgress: {
        "concurrent-clones": async (id) => tables.Instance.filter(({ parent }) => parent === id).length,
      },
      isTaken: {
        "domain-unique": ({ domain }, _, except) =>
          tables.Domain.some((each) => each.domain === domain && each.id !== except?.id),
        "unique-cluster-label": ({ label }, _, except) =>
          tables.Cluster.some((each) => each.label === label && each.id !== except?.id),
      },
      onReached: { "phone-code-attempts": () => {} },
    },
    orderedValues: { listKubeVersions: () => tables.KubeVersion.map(({ id }) => id) },
    operationRoutes: {
      putImageData: { path: "/uploads/{ticket}", target: ({ ticket }) => tables.Image.find(({ id }) => id === ticket) },
    },
    ...given,
  };
  const noted = Object.fromEntries(
    Object.entries(handlers === "none" ? {} : { ...usual(tables), ...handlers }).map(([operation, handler]) => [
      operation,
      (input: never, call: never) => {
        calls.push({ operation, input, call });
        return (handler as (input: never, call: never) => unknown)(input, call);
      },
    ]),
  ) as unknown as Partial<Handlers<RequestContext, Rows>>;
  return {
    server: createServer<RequestContext, Rows>(noted, options),
    tables,
    tokens,
    grants,
    calls,
    log,
    loads,
    clock,
  };
}

function usual(tables: Stubs["tables"]): Partial<Handlers<RequestContext, Rows>> {
  return {
    getInstance: ({ target }) => ({ status: 200, body: target }),
    listInstances: ({ listScope }) => {
      const data = tables.Instance.filter(
        (each) => each.account === listScope.owner?.account && listScope.ids?.includes(each.id) !== false,
      );
      return { status: 200, body: { data, page: 1, pages: 1, results: data.length } };
    },
    createInstance: async ({ body }, { caller: { account } }) => {
      const made = kept(instance(tables.Instance.length + 1, { label: body.label ?? "new", status: "provisioning" }), {
        account: String(account.id),
      });
      tables.Instance.push(made);
      return { status: 200, body: made };
    },
    updateInstance: ({ target, body: { alerts: _alerts, backups: _backups, ...body } }) => {
      const changed = { ...target, ...body };
      tables.Instance.splice(tables.Instance.indexOf(target), 1, changed);
      return { status: 200, body: changed };
    },
    bootInstance: ({ target }) => {
      const status = instanceStatus.transition("offline", "bootInstance", "booting");
      tables.Instance.splice(tables.Instance.indexOf(target), 1, { ...target, status });
      return { status: 200, body: {} };
    },
    deleteInstance: ({ target }) => {
      tables.Instance.splice(tables.Instance.indexOf(target), 1);
      return { status: 200, body: {} };
    },
    cloneInstance: ({ target }) => {
      const made = kept(instance(tables.Instance.length + 1, { status: "provisioning" }), { parent: target.id });
      tables.Instance.push(made);
      return { status: 200, body: made };
    },
    createDomain: ({ body }) => {
      if (body.domain === "example.org") throw errors.domainTaken({ reason: "is reserved" });
      return { status: 200, body: tables.Domain[0] as Rows["Domain"] };
    },
  };
}

function storesOf(tables: Stubs["tables"], loads: string[]): ResourceLoaders<RequestContext, Rows> {
  const stores = names.map((name) => {
    const rows: readonly (typeof tables)[typeof name][number][] = tables[name];
    const store = {
      load: async ({ by, values }: { readonly by: string; readonly values: readonly unknown[] }) => {
        loads.push(`${name} ${by} ${values.join(",")}`);
        return rows.filter((row) => values.includes((row as unknown as Record<string, unknown>)[by]));
      },
      owner: ({ account, user }: Kept<unknown>) => ({ account, user }),
      parent: ({ parent }: Kept<unknown>) => parent,
      own: ({ caller: of }: RequestContext) => rows.find(({ user }) => user === of?.user),
      ...(name === "Profile" ? { states: phases } : {}),
    };
    return [name, store] as const;
  });
  return Object.fromEntries(stores) as unknown as ResourceLoaders<RequestContext, Rows>;
}

const phases = {
  PhoneVerification: () => "none",
  SecurityAnswering: () => "unanswered",
  TwoFactor: () => "disabled",
};

/** The input of the last handler. */
export function lastInput<Input>({ calls }: Stubs): Input {
  const last = calls.at(-1);
  if (last === undefined) throw new Error("no handler was called");
  return last.input as Input;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** The server on a port, and its responses. */
export async function served({ server }: Stubs): Promise<{
  readonly url: string;
  ask(method: string, path: string, given?: Asked): Promise<TestResponse>;
  close(): Promise<void>;
}> {
  const host = listen(nodeListener(server));
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  return {
    url,
    ask: async (method, path, { token = "all", body, headers = {} } = {}) => {
      const response = await fetch(url + path, {
        method,
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = response.headers.get("content-type") === "application/json";
      return {
        status: response.status,
        headers: response.headers,
        body: isJson && text !== "" ? JSON.parse(text) : text,
      };
    },
    close: () =>
      new Promise((resolve) => {
        host.close(() => resolve());
        host.closeAllConnections();
      }),
  };
}

export interface Asked {
  /** Default: `all`. Null for none. */
  readonly token?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
