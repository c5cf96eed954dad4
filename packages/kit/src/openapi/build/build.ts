import {
  DiagnosticsError,
  type Api,
  type Operation,
  type SentRequest,
  type NestedArrays,
  headerRoles,
  collectFilterFields,
  hasFieldParameters,
  resolveSchemaVariants,
  pickDefined,
} from "../../model/index.js";
import type { Description } from "../read/load.js";
import { formatPointer, type SourceFile } from "../read/spec-node.js";
import { readCallers } from "./callers.js";
import { readErrors } from "./errors.js";
import { createCollisions } from "./names/collisions.js";
import { NameTable, readWithNames, type NameKind, type NameResolver } from "./names/name-table.js";
import { StableNames } from "./names/stable-names.js";
import {
  findOperations,
  operationNameKind,
  operationNames,
  readOperations,
  readSentRequests,
  type OperationNode,
} from "./operations.js";
import { readServers } from "./paths.js";
import { deepFreeze, definedFields } from "./plain-data.js";
import { readProblemDetails } from "./problem-details.js";
import { inheritOwners } from "./resources.js";
import { SchemaReader, schemaNameKind, type Dialect } from "./schemas.js";
import { readSecuritySchemes, readScopeGrammar } from "./scopes.js";
import { settleSerialization } from "./serialization.js";
import { readSources, traceSources } from "./sources.js";

export interface BuildOptions {
  /** Names for a description that cannot be edited. Keys: an operationId, `get /path`, a schema name, or `file#pointer` of either. */
  readonly names: Readonly<Record<string, string>>;
  readonly requirements: SourceFile | undefined;
  /** `minimal`: a name that cannot be used is replaced, with a warning. Default: `strict`, which makes it an error. */
  readonly ruleset?: "strict" | "minimal" | undefined;
  /** How clients write arrays in `deepObject`. Default: `brackets`. */
  readonly nestedArrays?: NestedArrays | undefined;
  /** Names of custom keywords, such as `x-luhn`, whose values schemas keep. Default: none. */
  readonly keywords?: readonly string[] | undefined;
}

/**
 * Builds the model of a linted description. Adds warnings to its diagnostics.
 * @throws A DiagnosticsError with everything that the model cannot express.
 */
export function buildApi(description: Description, options: BuildOptions): Api {
  const { root } = description;
  const info = root.get("info");
  const isMinimal = options.ruleset === "minimal";
  const dialect = readDialect(description, isMinimal);
  const resolverOf = (kind: NameKind): NameResolver =>
    isMinimal ? new StableNames(kind, options.names) : new NameTable(kind, options.names);
  const operationNodes = findOperations(root, resolverOf(operationNameKind));
  const schemaNames = resolverOf(schemaNameKind);
  const { keywords = [] } = options;
  const naming = { names: schemaNames, operations: operationNames(operationNodes), main: root.file, keywords };
  const definitions = readWithNames(schemaNames, () =>
    readDefinitions(description, operationNodes, new SchemaReader(dialect, naming)),
  );
  const { reader, read, errors, callers, sentRequests } = definitions;
  const about = {
    title: info?.text("title") ?? "",
    version: info?.text("version") ?? "",
    ...pickDefined("summary", info?.text("summary")),
    ...pickDefined("description", info?.text("description")),
    servers: readServers(root.get("servers")),
    ...pickDefined("nestedArrays", options.nestedArrays),
    tags: readTags(root),
    securitySchemes: readSecuritySchemes(root),
    ...pickDefined("scopeGrammar", readScopeGrammar(root)),
    ...pickDefined("callers", callers),
    ...pickDefined("headers", readHeaders(root)),
  };
  const collisions = createCollisions(description, isMinimal);
  const { operations, linked, schemas } = resolveSchemaVariants(read, reader.named, collisions.nameVariant);
  if (!isMinimal) collisions.checkOperationTypes([...operations, ...linked], schemas);
  const dangling = isMinimal ? [] : description.danglingReferences;
  const diagnostics = [...description.diagnostics, ...dangling, ...collisions.errors];
  if (diagnostics.some(({ severity }) => severity === "error")) throw new DiagnosticsError(diagnostics);
  const unchecked = reader.unchecked.patterns;
  const slow = reader.unchecked.slowPatterns;
  const built: Api = {
    ...about,
    operations: withoutUnknownSchemas(operations, new Set(schemas.map(({ name }) => name))),
    operationsWithoutPath: linked,
    ...pickDefined("sentRequests", sentRequests.length > 0 ? sentRequests : undefined),
    schemas,
    resources: inheritOwners(reader.resources),
    stateMachines: reader.stateMachines,
    errors,
    ...traceSources(description, options.requirements),
    ...pickDefined("uncheckedPatterns", unchecked.length > 0 ? unchecked : undefined),
    ...pickDefined("slowPatterns", slow.length > 0 ? slow : undefined),
    origin: root.origin,
  };
  const settled = withoutUnusedFilters(built);
  const api: Api = { ...settled, ...settleSerialization(settled, description) };
  return deepFreeze({ ...api, ...pickDefined("problemDetails", readProblemDetails(root, api)) });
}

/** Drops filters of fields with their own parameters from operations with other query parameters: only fields of the response tell them apart. */
function withoutUnusedFilters(api: Api): Api {
  const operations = api.operations.map((operation) => {
    const { filter, ...rest } = operation;
    return filter !== undefined && hasFieldParameters(filter) && collectFilterFields(api, operation).length === 0
      ? rest
      : operation;
  });
  return { ...api, operations };
}

/** Drops the `merged` of request bodies that names no schema. The strict ruleset rejects it. */
function withoutUnknownSchemas(operations: readonly Operation[], names: ReadonlySet<string>): readonly Operation[] {
  return operations.map((operation) => {
    const { requestBody } = operation;
    if (requestBody?.input.merged === undefined || names.has(requestBody.input.merged)) return operation;
    const { merged: _merged, ...input } = requestBody.input;
    return { ...operation, requestBody: { ...requestBody, input } };
  });
}

/** Reads operations, errors, and the schemas that no operation refers to. */
function readDefinitions(
  { root }: Description,
  operationNodes: readonly OperationNode[],
  reader: SchemaReader,
): {
  readonly reader: SchemaReader;
  readonly read: ReturnType<typeof readOperations>;
  readonly errors: Api["errors"];
  readonly callers: Api["callers"];
  readonly sentRequests: readonly SentRequest[];
} {
  const read = readOperations(root, operationNodes, reader);
  for (const [, schema] of root.get("components")?.get("schemas")?.entries() ?? [])
    reader.read(schema.withValue({ $ref: `#${formatPointer(schema.tokens)}` }));
  const errors = readErrors(root, reader.read);
  const callers = readCallers(root, reader.read);
  return { reader, read, errors, callers, sentRequests: readSentRequests(root, operationNodes, reader) };
}

function readTags(root: Description["root"]): Api["tags"] {
  return (root.get("tags")?.items() ?? []).map((tag) =>
    definedFields<Api["tags"][number]>({
      name: tag.text("name") ?? "",
      parent: tag.text("parent"),
      description: tag.text("description"),
      sources: readSources(tag),
      origin: tag.origin,
    }),
  );
}

function readHeaders(root: Description["root"]): Api["headers"] {
  const place = root.get("x-headers");
  if (place === undefined) return undefined;
  const names = Object.fromEntries(
    headerRoles.flatMap((role) => {
      const name = place.text(role);
      return name === undefined ? [] : [[role, name] as const];
    }),
  );
  const noScopes = place.text("noScopes");
  return { names, ...pickDefined("noScopes", noScopes), sources: readSources(place), origin: place.origin };
}

function readDialect({ root }: Description, isMinimal: boolean): Dialect {
  const isSwagger = root.file.swagger !== undefined && !isMinimal; // which the strict ruleset does not accept
  const version = isSwagger ? "" : (root.text("openapi") ?? "");
  if (version.startsWith("3.0")) return "3.0";
  if (/^3\.[12]/.test(version)) return "3.1"; // and what 3.2 has besides, where it is read
  const format =
    isSwagger || root.text("swagger") !== undefined
      ? `Swagger ${root.text("swagger") ?? "2.0"}`
      : `OpenAPI ${version || "of no version"}`;
  const message = `This is ${format}; 3.0, 3.1 and 3.2 can be read.`;
  throw new DiagnosticsError([
    {
      code: "description/version",
      severity: "error",
      origin: root.located,
      message,
      fix: "Convert it to OpenAPI 3.1 first.",
    },
  ]);
}
