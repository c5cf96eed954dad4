import {
  type TextFile,
  code,
  docComment,
  importValue,
  joinCode,
  propertyKey,
  jsonLiteral,
  identifier,
  printSourceFile,
  renderCode,
  importType,
  type Code,
  TypePrinter,
} from "@plumbline/kit/codegen";
import { customRuntime } from "@plumbline/kit/codegen/validation";
import {
  type Api,
  callersOf,
  documentedErrorBodies,
  deprecationHeaders,
  findField,
  findIdSchema,
  headerNames,
  type Limit,
  type Owner,
  pickDefined,
  type Schema,
  serverPath,
  resourceKey,
  type StoredResource,
  storedResources,
  uniqueKeyFields,
} from "@plumbline/kit/model";
import { hasCallerRules } from "./access/grants.js";
import { fieldNamesOf } from "./field-names.js";
import { checkedUniqueKeys } from "./limits/limits.js";
import { valueOrders } from "./mutability.js";
import { serverFunction, serverType } from "./runtime.js";
import { enforcedStateMachines } from "./state-machines/enforced-state-machines.js";
import type { ImportedValidator } from "./validator.js";

/** Emits `server.ts`: `createServer` and the types of its options. */
export function emitServer(api: Api, validator: ImportedValidator): readonly TextFile[] {
  const context: ServerContext = { api, printer: new TypePrinter(api, "File"), validator };
  const stores = storedResources(api);
  const statements = [
    ...(stores.length === 0 ? [] : [emitStores(stores, context)]),
    emitOptions(stores.length > 0, context),
    emitTables(api, validator),
    ...createServer,
    emitCreateServer(validator),
  ];
  const reservedNames = [
    "ResourceLoaders",
    "Options",
    "ServerOptions",
    "PartialServerOptions",
    "WithTransaction",
    "api",
    "createServer",
    "Context",
    "Rows",
  ];
  return [{ path: "src/gen/server.ts", text: printSourceFile(statements, reservedNames) }];
}

interface ServerContext {
  readonly api: Api;
  readonly printer: TypePrinter;
  readonly validator: ImportedValidator;
}

const $context = importType("RequestContext", "./handlers.js");
const $caller = importType("Caller", "./handlers.js");
const $handlers = importType("Handlers", "./handlers.js");
const $resources = importType("Resources", "./handlers.js");
const typeParameters = code`<Context extends ${$context}, Rows extends ${$resources}>`;

/** Emits the type of the resource loaders. */
function emitStores(stores: readonly StoredResource[], context: ServerContext): Code {
  const members = stores.map((each) => code`readonly ${propertyKey(each.name)}: ${storeType(each, context)};`);
  return code`${docComment(["The loader of each resource, with the owners of its rows."])}
export interface ResourceLoaders${typeParameters} {\n${members}\n}`;
}

function storeType({ name: resource, by, isOwned }: StoredResource, context: ServerContext): Code {
  const { api } = context;
  const row = code`Rows[${jsonLiteral(resource)}]`;
  const { owner, parent } = api.resources.find((each) => each.name === resource) ?? { owner: [], parent: undefined };
  const above = api.resources.find((each) => each.name === parent);
  const ids = by.map((field) => idType(resource, field, context));
  const kinds = owner.filter((kind) => kind !== "platform");
  const stateMachines = enforcedStateMachines(api).filter((stateMachine) => stateMachine.resource === resource);
  const nameUnion = (some: typeof stateMachines): Code =>
    joinCode(
      some.map((stateMachine) => jsonLiteral(stateMachine.name)),
      code` | `,
    );
  const fieldless = stateMachines.filter(({ field }) => field === undefined);
  const hiding = stateMachines.filter(({ field, hidden }) => field !== undefined && Object.keys(hidden).length > 0);
  const parts = [
    ...(by.length === 0 ? [] : [code`${serverType("ResourceLoader")}<${row}, ${joinCode(ids, code` | `)}, Context>`]),
    ...(isOwned ? [code`${serverType("Singleton")}<${row}, Context>`] : []),
    ...(by.length > 0 && parent !== undefined
      ? [code`${serverType("HasParent")}<${row}, ${idType(parent, resourceKey(api, parent), context)}>`]
      : []),
    ...(by.length > 0 && kinds.length > 0 && (above === undefined || !hasSameOwners(owner, above.owner))
      ? [
          code`${serverType("HasOwner")}<${row}, ${joinCode(
            kinds.map((kind) => jsonLiteral(kind)),
            code` | `,
          )}>`,
        ]
      : []),
    ...(fieldless.length === 0 ? [] : [code`${serverType("HasState")}<${row}, ${nameUnion(fieldless)}>`]),
    ...(hiding.length === 0 ? [] : [code`Partial<${serverType("HasState")}<${row}, ${nameUnion(hiding)}>>`]),
  ];
  return joinCode(parts, code` & `);
}

/** True if a resource has the owners of its parent. */
function hasSameOwners(owners: readonly Owner[], above: readonly Owner[]): boolean {
  return owners.length === above.length && owners.every((each) => above.includes(each));
}

function idType(resource: string, by: string, { api, printer }: ServerContext): Code {
  const schema = findIdSchema(api, resource, by);
  return schema === undefined ? serverType("EntityId") : printer.type(schema, "./types.js");
}

function emitOptions(hasStores: boolean, context: ServerContext): Code {
  const { api } = context;
  const members = [
    ...authentication(api),
    ...grantsMember(api),
    ...(hasStores ? [code`readonly resources: ResourceLoaders<Context, Rows>;`] : []),
    limitsMember(context),
    ...ordersMember(context),
    ...linksMember(api),
  ];
  const { customOptions, modules } = context.validator;
  const custom = customOptions.length === 0 ? code`` : code`, ${importType("CustomChecks", modules.customChecks)}`;
  return code`interface Options${typeParameters} extends ${serverType("CommonOptions")}${custom} {\n${members}\n}

${docComment(["The options of a server. `transaction` creates the context, if it has more members than every request."])}
export type ServerOptions<Context extends ${$context} = ${$context}, Rows extends ${$resources} = ${$resources}> = Options<Context, Rows> &
  WithTransaction<Context>;

${docComment(["The options of a server without some operations. What only these would need is optional."])}
export type PartialServerOptions<Context extends ${$context} = ${$context}, Rows extends ${$resources} = ${$resources}> = Omit<
  Partial<Options<Context, Rows>>,
  "missingHandlers"${hasStores ? code` | "resources"` : code``}
> & WithTransaction<Context> & {
  readonly missingHandlers: "not-implemented";
${hasStores ? code`  readonly resources?: Partial<ResourceLoaders<Context, Rows>>;` : code``}
};

type WithTransaction<Context extends ${$context}> = ${$context} extends Context
  ? { readonly transaction?: ${serverType("Transaction")}<Context, ${$context}> }
  : { readonly transaction: ${serverType("Transaction")}<Context, ${$context}> };`;
}

function authentication(api: Api): readonly Code[] {
  const used = new Set(
    [...api.operations, ...api.operationsWithoutPath].flatMap(({ security }) =>
      security.flatMap((each) => each.map(({ scheme }) => scheme)),
    ),
  );
  const members = api.securitySchemes.flatMap(({ name: scheme, kind, description }) => {
    if (!used.has(scheme)) return [];
    const sent =
      kind === "basic"
        ? serverType("BasicCredentials")
        : kind === "mutualTLS"
          ? serverType("HttpRequest")
          : code`string`;
    const about = docComment((description ?? "").split("\n"));
    return [
      code`${about}\nreadonly ${propertyKey(scheme)}: ${serverType("Authenticate")}<${sent}, ${$caller}, Context>;`,
    ];
  });
  if (members.length === 0) return [];
  return [
    code`${docComment(["Returns the owner of a credential, or undefined if it is unknown or revoked."])}
readonly authenticate: {\n${members}\n};`,
  ];
}

function grantsMember(api: Api): readonly Code[] {
  const grants = [...api.operations, ...api.operationsWithoutPath].flatMap((operation) => operation.grants);
  const named = [...new Set(grants.flatMap((grant) => (grant.kind === "named" ? [grant.name] : [])))];
  const lists = [...new Set(api.resources.flatMap((resource) => resource.grants ?? []))];
  if (grants.every(({ kind }) => kind === "caller")) return [];
  const members = [
    ...(named.length === 0
      ? []
      : [
          code`readonly ${propertyKey(callersOf(api).namedGrants)}: { ${joinCode(
            named.map((each) => code`readonly ${propertyKey(each)}?: boolean | null;`),
            code` `,
          )} };`,
        ]),
    ...lists.map((each) => code`readonly ${propertyKey(each)}: readonly ${serverType("EntityGrant")}[];`),
  ];
  return [
    code`${docComment(["Returns the grants of a user who needs any."])}
grants(caller: ${$caller}, context: Context): ${serverType("Awaitable")}<{\n${members}\n}>;`,
  ];
}

function limitsMember({ api, printer }: ServerContext): Code {
  const inProgress = concurrencyOf(api).map(
    ({ id, keys }) =>
      code`${propertyKey(id)}(key: ${joinCode(keysOf(keys, printer), code` | `)}, context: Context): ${serverType("Awaitable")}<number>;`,
  );
  const uniqueKeys = checkedUniqueKeys(api).map((stated) => {
    const { limit, resource = "" } = stated;
    const schema = api.schemas.find((each) => each.name === resource)?.schema;
    const fields = uniqueKeyFields(stated).map((field) => {
      const fieldSchema = schema && findField(api, schema, field.split("/"));
      return code`readonly ${propertyKey(field)}: ${fieldSchema === undefined ? code`unknown` : printer.type(fieldSchema, "./types.js")};`;
    });
    const rowOf = (name: string): Code =>
      storedResources(api).some((each) => each.name === name) ? code`Rows[${jsonLiteral(name)}]` : code`unknown`;
    const parent = api.resources.find((each) => each.name === resource)?.parent;
    const within = limit.within === "parent" && parent !== undefined ? code`, parent: ${rowOf(parent)}` : code``;
    return code`${propertyKey(limit.id)}(values: { ${joinCode(fields, code` `)} }, context: Context, except: ${rowOf(resource)} | undefined${within}): ${serverType("Awaitable")}<boolean>;`;
  });
  const groups = [
    ...(inProgress.length === 0
      ? []
      : [
          code`${docComment(["Counts the started jobs that have not ended."])}\nreadonly countInProgress: {\n${inProgress}\n};`,
        ]),
    ...(uniqueKeys.length === 0
      ? []
      : [
          code`${docComment(["Returns whether another object has these values."])}\nreadonly isTaken: {\n${uniqueKeys}\n};`,
        ]),
  ];
  const reached = reachedLimits(api).map(
    ({ id, reached: effect = "" }) =>
      code`${docComment([effect])}\n${propertyKey(id)}(caller: ${$caller} | undefined, context: Context): ${serverType("Awaitable")}<unknown>;`,
  );
  if (reached.length > 0)
    groups.push(
      code`${docComment(["Called when a limit is reached, for the effect in the description. Runs in its own transaction."])}\nreadonly onReached: {\n${reached}\n};`,
    );
  if (groups.length === 0) return code`readonly limits?: ${serverType("LimitOptions")};`;
  return code`readonly limits: ${serverType("LimitOptions")} & {\n${groups}\n};`;
}

/** Returns the limits with an effect when they are reached, each once. */
function reachedLimits(api: Api): readonly Limit[] {
  const all = [...api.operations, ...api.operationsWithoutPath].flatMap(({ limits }) => limits);
  return [...new Map(all.filter(({ reached }) => reached !== undefined).map((each) => [each.id, each])).values()];
}

interface Concurrency {
  readonly id: string;
  /** The schemas of the keys in the operations with the limit. `undefined` if no parameter is the key. */
  readonly keys: readonly (Schema | undefined)[];
}

/** Returns the concurrency limits. Several operations may share one. */
function concurrencyOf(api: Api): readonly Concurrency[] {
  const keysById = new Map<string, (Schema | undefined)[]>();
  for (const { limits, parameters } of [...api.operations, ...api.operationsWithoutPath]) {
    for (const { kind, id, per } of limits) {
      if (kind !== "concurrency") continue;
      const parameter = parameters.find(({ in: place, name: each }) => place === per?.part && each === per.name);
      keysById.set(id, [...(keysById.get(id) ?? []), parameter?.schema]);
    }
  }
  return [...keysById].map(([id, keys]) => ({ id, keys }));
}

function keysOf(keys: Concurrency["keys"], printer: TypePrinter): readonly Code[] {
  const types = keys.map((schema) =>
    schema === undefined ? serverType("EntityId") : printer.type(schema, "./types.js"),
  );
  return [...new Map(types.map((type) => [renderCode(type), type] as const)).values()];
}

function ordersMember(context: ServerContext): readonly Code[] {
  const members = valueOrders(context.api).map(({ operation, resource }) => {
    const type = resource === undefined ? code`unknown` : idType(resource, resourceKey(context.api, resource), context);
    return code`${propertyKey(operation)}(context: Context): ${serverType("Awaitable")}<readonly (${type})[]>;`;
  });
  if (members.length === 0) return [];
  return [code`${docComment(["Returns the values in their order."])}\nreadonly orderedValues: {\n${members}\n};`];
}

function linksMember(api: Api): readonly Code[] {
  const stored = new Set(storedResources(api).map((each) => each.name));
  const members = api.operationsWithoutPath.map(({ name: operation }) => {
    const stateMachine = api.stateMachines.find(({ transitions }) =>
      transitions.some(
        ({ event, subject }) => event.kind === "operation" && event.operation === operation && subject === undefined,
      ),
    );
    const isStored = stateMachine !== undefined && stored.has(stateMachine.resource);
    const row = isStored ? code`Rows[${jsonLiteral(stateMachine.resource)}]` : code`unknown`;
    return code`readonly ${propertyKey(operation)}: ${serverType("OperationRoute")}<${row}, Context>;`;
  });
  if (members.length === 0) return [];
  return [
    code`${docComment(["The routes of operations without a path in the description."])}\nreadonly operationRoutes: {\n${members}\n};`,
  ];
}

function emitTables(api: Api, { modules }: ImportedValidator): Code {
  const from = (what: string, file: string): Code => importValue(what, `./${file}.js`);
  const members = [
    code`operations: ${from("operations", "operations")}.filter(({ definition }) => definition.path !== "")`,
    code`operationsWithoutPath: ${from("operations", "operations")}.filter(({ definition }) => definition.path === "")`,
    ...["securitySchemes", "security"].map((each) => code`${identifier(each)}: ${importValue(each, modules.security)}`),
    ...["scopeGrammar", "scopeCeilings"].map((each) => code`${identifier(each)}: ${from(each, "scopes")}`),
    ...(["resources", "operationResources"] as const).map(
      (each) => code`${identifier(each)}: ${from(each, "resources")}`,
    ),
    code`grants: ${from("grants", "grants")}`,
    ...(hasCallerRules(api) ? [from("callers", "grants")] : []),
    code`limits: ${from("operationLimits", "limits")}`,
    code`stateRules: ${from("operationStates", "states")}`,
    code`mutability: ${from("mutability", "mutability")}`,
    code`mergedSchemas: ${from("mergedSchemas", "mutability")}`,
    code`valueRules: ${from("storedValueRules", "values")}`,
    code`errorRules: ${from("conditionalErrors", "errors")}`,
    code`errors: ${from("operationErrors", "errors")}`,
    ...(["sharedErrors", "sharedErrorByStatus"] as const).map(
      (each) => code`${identifier(each)}: ${from(each, "errors")}`,
    ),
    ...(api.problemDetails === undefined
      ? []
      : [code`problemDetails: ${jsonLiteral(pickDefined("types", api.problemDetails.types))}`]),
    ...(documentedErrorBodies(api) === undefined ? [] : [code`errorBodies: ${from("errorBodies", "error-bodies")}`]),
    ...(["serializers", "responseVisibility", "responseHeaders"] as const).map(
      (each) => code`${identifier(each)}: ${from(each, "serializers")}`,
    ),
    ...deprecationsMember(api),
    code`responseValidators: () => import(${jsonLiteral(modules.responses)}).then((loaded) => loaded.responses)`,
    code`fieldNames: ${jsonLiteral(fieldNamesOf(api))}`,
    code`headerNames: ${jsonLiteral(headerNames(api))}`,
    code`basePaths: ${jsonLiteral(basePathsOf(api))}`,
  ];
  return code`${docComment(["The description, compiled for the runtime."])}
const api: ${serverType("ServerDefinition")} = {\n${joinCode(members, code`,\n`)},\n};`;
}

/** The headers of deprecated operations. Absent if no operation has any. */
function deprecationsMember(api: Api): readonly Code[] {
  const entries = [...api.operations, ...api.operationsWithoutPath].flatMap((operation) => {
    const headers = deprecationHeaders(api, operation);
    if (Object.keys(headers).length === 0) return [];
    return [code`${propertyKey(operation.name)}: ${jsonLiteral({ ...headers })}`];
  });
  return entries.length === 0 ? [] : [code`deprecations: { ${joinCode(entries, code`, `)} }`];
}

/** Returns the paths of the servers, without a trailing slash. */
export function basePathsOf({ servers }: Api): readonly string[] {
  const paths = servers.map(({ url }) => serverPath(url));
  return paths.length === 0 ? [""] : [...new Set(paths)];
}

const createServer = [
  code`${docComment([
    "Creates a server. Routing, authentication, limits, validation, loading and serialization follow the description.",
    "@throws A TypeError if a handler is missing.",
    "",
    "@example",
    "const server = createServer(handlers, options);\nhttp.createServer(nodeListener(server)).listen(8080);",
  ])}
export function createServer<Context extends ${$context} = ${$context}, Rows extends ${$resources} = ${$resources}>(
  handlers: ${$handlers}<Context, Rows>,
  options: ServerOptions<Context, Rows>,
): ${serverType("Server")};`,
  code`${docComment(["Creates a server without some operations. It responds to these with 501."])}
export function createServer<Context extends ${$context} = ${$context}, Rows extends ${$resources} = ${$resources}>(
  handlers: Partial<${$handlers}<Context, Rows>>,
  options: PartialServerOptions<Context, Rows>,
): ${serverType("Server")};`,
];

/** Emits the function itself. With custom formats or keywords, the checks get the functions of the options. */
function emitCreateServer({ customOptions, modules }: ImportedValidator): Code {
  const { length } = customOptions;
  const options = joinCode(
    customOptions.map((option) => identifier(option)),
    code`, `,
  );
  const create = serverFunction("createBaseServer");
  const handlers = code`handlers as ${serverType("AnyHandlers")}`;
  const body =
    length === 0
      ? code`return ${create}(api, ${handlers}, options as ${serverType("BaseServerOptions")});`
      : code`const { ${options}, ...rest } = options as ${serverType("BaseServerOptions")} & ${importType("CustomChecks", modules.customChecks)};
  const bound = ${importValue("bindCustomChecks", customRuntime)}({ ${options} }, ${importValue("customCheckNames", modules.customChecks)});
  const definition: ${serverType("ServerDefinition")} = {
    ...api,
    operations: bound.operations(api.operations),
    operationsWithoutPath: bound.operations(api.operationsWithoutPath),
    responseValidators: bound.responses(api.responseValidators),
  };
  return ${create}(definition, ${handlers}, rest);`;
  return code`export function createServer(handlers: object, options: object): ${serverType("Server")} {
  ${body}
}`;
}
