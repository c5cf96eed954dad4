import {
  type ArtifactOptions,
  type Code,
  code,
  docComment,
  importType,
  importValue,
  joinCode,
  jsonLiteral,
  type TextFile,
} from "@plumbline/kit/codegen";
import { CheckFile, objectLiteral, tableMember } from "@plumbline/kit/codegen/conditions";
import { serverRuntime } from "@plumbline/kit/codegen/validation";
import {
  type Api,
  attributeValues,
  callersOf,
  collectFields,
  collectLimits,
  findJsonContent,
  type Json,
  mainAttributes,
  pickDefined,
  serverPath,
  uniqueKeyFields,
} from "@plumbline/kit/model";
import { type EmitContext, operationData } from "./operations.js";
import { RepeatedValues } from "./repeated-values.js";
import { resourceData } from "./resources.js";
import { listedResources } from "./roles.js";
import { someItems, someJson } from "./short-literals.js";
import { stateMachineData } from "./state-machines.js";

/** The module that generated mocks import. */
export const mockRuntime: string = `${serverRuntime}/mock`;

/** Emits `definition.ts`: what the description says about behavior. */
export function emitDefinition(api: Api, options: ArtifactOptions): readonly TextFile[] {
  const file = new CheckFile(api, options, ["definition"]);
  const { context } = file;
  const values = new RepeatedValues(api, context);
  const data = values.print(() => definitionData(api, { context, values }));
  return [
    file.print("src/gen/definition.ts", [
      code`${docComment(["What the description says about the behavior of the API."])}
export const definition: ${importType("MockDefinition", mockRuntime)} = /* @__PURE__ */ ${importValue("readDefinition", mockRuntime)}(${data});`,
    ]),
  ];
}

function definitionData(api: Api, emit: EmitContext): Code {
  const operations = [...api.operations, ...api.operationsWithoutPath];
  return objectLiteral({
    title: jsonLiteral(api.title),
    version: jsonLiteral(api.version),
    basePath: jsonLiteral(api.servers[0] === undefined ? "" : serverPath(api.servers[0].url)),
    operations: tableLiteral(
      operations.map((each) => [each.name, operationData(api, each, emit)]),
      "OperationData",
    ),
    resources:
      api.resources.length === 0
        ? undefined
        : tableLiteral(
            api.resources.map((each) => [each.name, resourceData(api, each, emit)]),
            "ResourceData",
          ),
    stateMachines: someItems(api.stateMachines.map((each) => stateMachineData(api, each, emit))),
    uniqueLimits: someJson(uniqueLimits(api)),
    securitySchemes: someJson(api.securitySchemes.map(({ name }) => name)),
    ...scopeMembers(api),
    credentials: someJson(credentials(api)),
    userResource: resourceNamed(api, /^users?$/i),
    callers: callersData(api),
    accountResource: accountResource(api),
    reachedEffects: someJson(reachedEffects(api)),
    orderedLists: someJson(orderedLists(api)),
  });
}

function tableLiteral(entries: readonly (readonly [name: string, value: Code])[], type: string): Code {
  const members = entries.map(([name, value]) => tableMember(name, value, importType(type, mockRuntime)));
  return code`{ ${joinCode(members, code`, `)} }`;
}

/** Without a grammar, a token has all scopes that operations require. */
function scopeMembers({ scopeGrammar: grammar, operations }: Api): Readonly<Record<string, Code | undefined>> {
  if (grammar === undefined) {
    const scopes = new Set(operations.flatMap(({ security }) => security.flat().flatMap((each) => each.scopes)));
    return scopes.size === 0 ? {} : { allScopes: jsonLiteral([...scopes].join(" ")) };
  }
  const highest = grammar && Object.entries(grammar.levels).toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0];
  return {
    allScopes: grammar && jsonLiteral(grammar.all),
    highestLevel: highest === undefined ? undefined : jsonLiteral(highest),
  };
}

function uniqueLimits(api: Api): Readonly<Record<string, Json>> {
  const entries = collectLimits(api).flatMap((collected) => {
    const { limit, resource } = collected;
    if (limit.kind !== "unique" || limit.within === "array" || resource === undefined) return [];
    if (!api.resources.some(({ name }) => name === resource)) return [];
    return [
      [
        limit.id,
        { resource, by: uniqueKeyFields(collected), within: limit.within ?? callersOf(api).tenant ?? "user" },
      ] as const,
    ];
  });
  return Object.fromEntries(entries);
}

function credentials({ scopeGrammar, stateMachines }: Api): readonly Json[] {
  return (scopeGrammar?.credentials ?? []).flatMap(({ to, in: state }) =>
    stateMachines.flatMap(({ name, resource, states }) =>
      resource === to && states.includes(state) ? [{ resource: to, stateMachine: name, state }] : [],
    ),
  );
}

/** Prints the name of the resource that is the user or the account of a caller. */
function resourceNamed({ resources }: Api, pattern: RegExp): Code | undefined {
  const resource = resources.find(({ name }) => pattern.test(name));
  return resource && jsonLiteral(resource.name);
}

function accountResource(api: Api): Code | undefined {
  const { tenant } = callersOf(api);
  return tenant === undefined
    ? undefined
    : resourceNamed(api, new RegExp(`^${tenant.replaceAll(/\W/g, "\\$&")}s?$`, "i"));
}

/** Prints what callers are. */
function callersData(api: Api): Code {
  const { tenant, attributes, needNoGrants, namedGrants } = callersOf(api);
  const main = mainAttributes(api);
  const values = Object.entries(attributes).map(([name, schema]) => {
    const possible = attributeValues(schema).filter((each) => each !== main[name]);
    return [name, [...(main[name] === undefined ? [] : [main[name]]), ...possible]] as const;
  });
  return jsonLiteral({
    ...pickDefined("tenant", tenant),
    ...pickDefined("needNoGrants", needNoGrants),
    namedGrants,
    attributes: Object.fromEntries(values),
  });
}

function reachedEffects(api: Api): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    [...api.operations, ...api.operationsWithoutPath].flatMap(({ name, limits }) =>
      limits.flatMap(({ id, reached }) =>
        reached === undefined ? [] : [[id, { operation: name, effect: reached }] as const],
      ),
    ),
  );
}

/** The lists that determine the order of values, for fields that change to the next one only. */
function orderedLists(api: Api): Readonly<Record<string, Json>> {
  const orders = new Set(
    api.operations.flatMap(({ requestBody }) => {
      const content = findJsonContent(requestBody?.contents ?? []);
      const fields = content === undefined ? [] : collectFields(api, content.schema);
      return fields.flatMap(({ property }) => property?.mutability?.order ?? []);
    }),
  );
  return Object.fromEntries(
    [...orders].flatMap((order) => {
      const operation = api.operations.find(({ name }) => name === order);
      const [resource] = operation === undefined ? [] : listedResources(api, operation);
      return resource === undefined ? [] : [[order, { resource, field: "id" }] as const];
    }),
  );
}
