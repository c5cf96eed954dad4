import { banner } from "../emit/banner.js";
import type { TextFile } from "../emit/files.js";
import {
  code,
  comment,
  imported,
  join,
  key,
  literal,
  name,
  print,
  textOf,
  typeImported,
  type Code,
} from "../emit/printer.js";
import type { Api, Limit, Owner, Shape } from "../model/api.js";
import { fieldAt } from "../model/fields.js";
import { TypePrinter } from "../types/print.js";
import { ordersOf } from "./changes.js";
import { headerNames } from "../model/headers.js";
import { keyOf } from "./limit-kinds.js";
import { askedKeys } from "./limits.js";
import { idShapeOf, storedResources, type StoredResource } from "./references.js";
import { $server, $serverType } from "./runtime.js";
import { judgedMachines } from "./judged-machines.js";

/** Emits `server.ts`: `createServer` and the types of its options. */
export function emitServer(api: Api): readonly TextFile[] {
  const around: Around = { api, printer: new TypePrinter(api) };
  const stores = storedResources(api);
  const statements = [
    ...(stores.length === 0 ? [] : [emitStores(stores, around)]),
    emitOptions(stores.length > 0, around),
    emitTables(api),
    ...createServer,
  ];
  const own = [
    "Stores",
    "Options",
    "ServerOptions",
    "PartialOptions",
    "Within",
    "api",
    "createServer",
    "Context",
    "Rows",
  ];
  return [{ path: "src/gen/server.ts", text: print(statements, banner, own) }];
}

interface Around {
  readonly api: Api;
  readonly printer: TypePrinter;
}

const $call = typeImported("Call", "./handlers.js");
const $caller = typeImported("Caller", "./handlers.js");
const $handlers = typeImported("Handlers", "./handlers.js");
const $resources = typeImported("Resources", "./handlers.js");
const typeParameters = code`<Context extends ${$call}, Rows extends ${$resources}>`;

/** Emits the type of the resource loaders. */
function emitStores(stores: readonly StoredResource[], around: Around): Code {
  const members = stores.map((each) => code`readonly ${key(each.name)}: ${storeType(each, around)};`);
  return code`${comment(["The loader of each resource, with the owners of its rows."])}
export interface Stores${typeParameters} {\n${members}\n}`;
}

function storeType({ name: resource, by, isOwned }: StoredResource, { api, printer }: Around): Code {
  const row = code`Rows[${literal(resource)}]`;
  const { owner, parent } = api.resources.find((each) => each.name === resource) ?? { owner: [], parent: undefined };
  const above = api.resources.find((each) => each.name === parent);
  const ids = by.map((field) => idType(resource, field, { api, printer }));
  const kinds = owner.filter((kind) => kind !== "platform");
  const machines = judgedMachines(api).filter((machine) => machine.resource === resource);
  const named = (some: typeof machines): Code =>
    join(
      some.map((machine) => literal(machine.name)),
      code` | `,
    );
  const fieldless = machines.filter(({ field }) => field === undefined);
  const hiding = machines.filter(({ field, hidden }) => field !== undefined && Object.keys(hidden).length > 0);
  const parts = [
    ...(by.length === 0 ? [] : [code`${$serverType("Stored")}<${row}, ${join(ids, code` | `)}, Context>`]),
    ...(isOwned ? [code`${$serverType("Single")}<${row}, Context>`] : []),
    ...(by.length > 0 && parent !== undefined
      ? [code`${$serverType("Child")}<${row}, ${idType(parent, "id", { api, printer })}>`]
      : []),
    ...(by.length > 0 && kinds.length > 0 && (above === undefined || !isAlike(owner, above.owner))
      ? [
          code`${$serverType("Owned")}<${row}, ${join(
            kinds.map((kind) => literal(kind)),
            code` | `,
          )}>`,
        ]
      : []),
    ...(fieldless.length === 0 ? [] : [code`${$serverType("Moving")}<${row}, ${named(fieldless)}>`]),
    ...(hiding.length === 0 ? [] : [code`Partial<${$serverType("Moving")}<${row}, ${named(hiding)}>>`]),
  ];
  return join(parts, code` & `);
}

/** True if a resource has the owners of its parent. */
function isAlike(own: readonly Owner[], above: readonly Owner[]): boolean {
  return own.length === above.length && own.every((each) => above.includes(each));
}

function idType(resource: string, by: string, { api, printer }: Around): Code {
  const shape = idShapeOf(api, resource, by);
  return shape === undefined ? $serverType("Key") : printer.type(shape, "./types.js");
}

function emitOptions(hasStores: boolean, around: Around): Code {
  const { api } = around;
  const members = [
    ...authentication(api),
    ...grantsMember(api),
    ...(hasStores ? [code`readonly resources: Stores<Context, Rows>;`] : []),
    limitsMember(around),
    ...ordersMember(around),
    ...linksMember(api),
  ];
  return code`interface Options${typeParameters} extends ${$serverType("CommonOptions")} {\n${members}\n}

${comment(["The options of a server. `transaction` creates the context, if it has more members than every request."])}
export type ServerOptions<Context extends ${$call} = ${$call}, Rows extends ${$resources} = ${$resources}> = Options<Context, Rows> &
  Within<Context>;

${comment(["The options of a server without some operations. What only these would need is optional."])}
export type PartialOptions<Context extends ${$call} = ${$call}, Rows extends ${$resources} = ${$resources}> = Omit<
  Partial<Options<Context, Rows>>,
  "missing"${hasStores ? code` | "resources"` : code``}
> & Within<Context> & {
  readonly missing: "not-implemented";
${hasStores ? code`  readonly resources?: Partial<Stores<Context, Rows>>;` : code``}
};

type Within<Context extends ${$call}> = ${$call} extends Context
  ? { readonly transaction?: ${$serverType("Transaction")}<Context, ${$call}> }
  : { readonly transaction: ${$serverType("Transaction")}<Context, ${$call}> };`;
}

function authentication(api: Api): readonly Code[] {
  const used = new Set(
    [...api.operations, ...api.linked].flatMap(({ security }) =>
      security.flatMap((each) => each.map(({ scheme }) => scheme)),
    ),
  );
  const members = api.schemes.flatMap(({ name: scheme, kind, description }) => {
    if (!used.has(scheme)) return [];
    const sent =
      kind === "basic" ? $serverType("Basic") : kind === "mutualTLS" ? $serverType("Received") : code`string`;
    const about = comment((description ?? "").split("\n"));
    return [code`${about}\nreadonly ${key(scheme)}: ${$serverType("Authenticate")}<${sent}, ${$caller}, Context>;`];
  });
  if (members.length === 0) return [];
  return [
    code`${comment(["Returns the owner of a credential, or undefined if it is unknown or revoked."])}
readonly authenticate: {\n${members}\n};`,
  ];
}

function grantsMember(api: Api): readonly Code[] {
  const grants = [...api.operations, ...api.linked].flatMap((operation) => operation.grants);
  const globals = [...new Set(grants.flatMap((grant) => (grant.kind === "global" ? [grant.global] : [])))];
  const lists = [...new Set(api.resources.flatMap((resource) => resource.grants ?? []))];
  if (grants.every(({ kind }) => kind === "unrestricted")) return [];
  const members = [
    code`readonly global: { ${join(
      globals.map((each) => code`readonly ${key(each)}?: boolean | null;`),
      code` `,
    )} };`,
    ...lists.map((each) => code`readonly ${key(each)}: readonly ${$serverType("EntityGrant")}[];`),
  ];
  return [
    code`${comment(["Returns the grants of a restricted user."])}
grants(caller: ${$caller}, context: Context): ${$serverType("Awaitable")}<{\n${members}\n}>;`,
  ];
}

function limitsMember({ api, printer }: Around): Code {
  const unsettled = concurrencyOf(api).map(
    ({ id, keys }) =>
      code`${key(id)}(key: ${join(keysOf(keys, printer), code` | `)}, context: Context): ${$serverType("Awaitable")}<number>;`,
  );
  const taken = askedKeys(api).map((stated) => {
    const { limit, resource = "" } = stated;
    const shape = api.shapes.find((each) => each.name === resource)?.shape;
    const fields = keyOf(stated).map((field) => {
      const found = shape && fieldAt(api, shape, field.split("/"));
      return code`readonly ${key(field)}: ${found === undefined ? code`unknown` : printer.type(found, "./types.js")};`;
    });
    const isStored = storedResources(api).some((each) => each.name === resource);
    const row = isStored ? code`Rows[${literal(resource)}]` : code`unknown`;
    return code`${key(limit.id)}(values: { ${join(fields, code` `)} }, context: Context, except: ${row} | undefined): ${$serverType("Awaitable")}<boolean>;`;
  });
  const groups = [
    ...(unsettled.length === 0
      ? []
      : [code`${comment(["Counts the started jobs that have not ended."])}\nreadonly unsettled: {\n${unsettled}\n};`]),
    ...(taken.length === 0
      ? []
      : [code`${comment(["Returns whether another object has these values."])}\nreadonly taken: {\n${taken}\n};`]),
  ];
  const reached = reachedLimits(api).map(
    ({ id, reached: effect = "" }) =>
      code`${comment([effect])}\n${key(id)}(caller: ${$caller} | undefined, context: Context): ${$serverType("Awaitable")}<unknown>;`,
  );
  if (reached.length > 0)
    groups.push(
      code`${comment(["Called when a limit is reached, for the effect in the description. Runs in its own transaction."])}\nreadonly reached: {\n${reached}\n};`,
    );
  if (groups.length === 0) return code`readonly limits?: ${$serverType("LimitOptions")};`;
  return code`readonly limits: ${$serverType("LimitOptions")} & {\n${groups}\n};`;
}

/** Returns the limits with an effect when they are reached, each once. */
function reachedLimits(api: Api): readonly Limit[] {
  const all = [...api.operations, ...api.linked].flatMap(({ limits }) => limits);
  return [...new Map(all.filter(({ reached }) => reached !== undefined).map((each) => [each.id, each])).values()];
}

interface Concurrency {
  readonly id: string;
  /** The schemas of the keys in the operations with the limit. `undefined` if no parameter is the key. */
  readonly keys: readonly (Shape | undefined)[];
}

/** Returns the concurrency limits. Several operations may share one. */
function concurrencyOf(api: Api): readonly Concurrency[] {
  const found = new Map<string, (Shape | undefined)[]>();
  for (const { limits, parameters } of [...api.operations, ...api.linked]) {
    for (const { kind, id, per } of limits) {
      if (kind !== "concurrency") continue;
      const parameter = parameters.find(({ in: place, name: each }) => place === per?.part && each === per.name);
      found.set(id, [...(found.get(id) ?? []), parameter?.shape]);
    }
  }
  return [...found].map(([id, keys]) => ({ id, keys }));
}

function keysOf(keys: Concurrency["keys"], printer: TypePrinter): readonly Code[] {
  const types = keys.map((shape) => (shape === undefined ? $serverType("Key") : printer.type(shape, "./types.js")));
  return [...new Map(types.map((type) => [textOf(type), type] as const)).values()];
}

function ordersMember(around: Around): readonly Code[] {
  const members = ordersOf(around.api).map(({ operation, shape }) => {
    const type = shape === undefined ? code`unknown` : idType(shape, "id", around);
    return code`${key(operation)}(context: Context): ${$serverType("Awaitable")}<readonly ${type}[]>;`;
  });
  if (members.length === 0) return [];
  return [code`${comment(["Returns the values in their order."])}\nreadonly orders: {\n${members}\n};`];
}

function linksMember(api: Api): readonly Code[] {
  const stored = new Set(storedResources(api).map((each) => each.name));
  const members = api.linked.map(({ name: operation }) => {
    const machine = api.machines.find(({ transitions }) =>
      transitions.some(({ by, on }) => by.kind === "operation" && by.operation === operation && on === undefined),
    );
    const isStored = machine !== undefined && stored.has(machine.resource);
    const row = isStored ? code`Rows[${literal(machine.resource)}]` : code`unknown`;
    return code`readonly ${key(operation)}: ${$serverType("Link")}<${row}, Context>;`;
  });
  if (members.length === 0) return [];
  return [
    code`${comment(["The routes of operations without a path in the description."])}\nreadonly links: {\n${members}\n};`,
  ];
}

function emitTables(api: Api): Code {
  const from = (what: string, file: string): Code => imported(what, `./${file}.js`);
  const members = [
    code`operations: ${from("operations", "table")}.filter(({ definition }) => definition.path !== "")`,
    code`linked: ${from("operations", "table")}.filter(({ definition }) => definition.path === "")`,
    ...(["schemes", "grammar", "security", "ceilings"] as const).map(
      (each) => code`${name(each)}: ${from(each, "scopes")}`,
    ),
    ...(["resources", "operationResources"] as const).map((each) => code`${name(each)}: ${from(each, "resources")}`),
    code`grants: ${from("grants", "grants")}`,
    code`limits: ${from("operationLimits", "limits")}`,
    code`states: ${from("operationStates", "states")}`,
    code`changes: ${from("changes", "changes")}`,
    code`merged: ${from("merged", "changes")}`,
    code`values: ${from("values", "values")}`,
    ...(["refusals", "failures", "sharedFailures", "byStatus"] as const).map(
      (each) => code`${name(each)}: ${from(each, "errors")}`,
    ),
    ...(["shown", "visibleTo", "replyHeaders"] as const).map((each) => code`${name(each)}: ${from(each, "shown")}`),
    code`replies: () => import("./replies.js").then((loaded) => loaded.replies)`,
    code`headers: ${literal(headerNames(api))}`,
    code`basePaths: ${literal(basePathsOf(api))}`,
  ];
  return code`${comment(["The description, compiled for the runtime."])}
const api: ${$serverType("ServedApi")} = {\n${join(members, code`,\n`)},\n};`;
}

/** Returns the paths of the servers, without a trailing slash. */
export function basePathsOf({ servers }: Api): readonly string[] {
  const paths = servers.map(({ url }) => {
    // The base of a relative URL is unknown.
    const isWhole = /^((https?:)?\/)?\//i.test(url) && URL.canParse(url, "https://localhost");
    const plain = isWhole ? new URL(url, "https://localhost").pathname.replace(/\/+$/, "") : "";
    return /^(\/[A-Za-z0-9._~-]+)*$/.test(plain) ? plain : "";
  });
  return paths.length === 0 ? [""] : [...new Set(paths)];
}

const createServer = [
  code`${comment([
    "Creates a server. Routing, authentication, limits, validation, loading and serialization follow the description.",
    "@throws A TypeError if a handler is missing.",
    "",
    "@example",
    "const server = createServer(handlers, options);\nhttp.createServer(nodeListener(server)).listen(8080);",
  ])}
export function createServer<Context extends ${$call} = ${$call}, Rows extends ${$resources} = ${$resources}>(
  handlers: ${$handlers}<Context, Rows>,
  options: ServerOptions<Context, Rows>,
): ${$serverType("Server")};`,
  code`${comment(["Creates a server without some operations. It responds to these with 501."])}
export function createServer<Context extends ${$call} = ${$call}, Rows extends ${$resources} = ${$resources}>(
  handlers: Partial<${$handlers}<Context, Rows>>,
  options: PartialOptions<Context, Rows>,
): ${$serverType("Server")};`,
  code`export function createServer(handlers: object, options: object): ${$serverType("Server")} {
  return ${$server("serve")}(api, handlers as ${$serverType("AnyHandlers")}, options as ${$serverType("ServeOptions")});
}`,
];
