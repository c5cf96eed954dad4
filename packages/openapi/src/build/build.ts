import {
  DiagnosticsError,
  type Diagnostic,
  type Api,
  type Operation,
  resolveSchemaVariants,
  operationTypeNames,
  shareStructure,
  pickDefined,
} from "@plumbline/model";
import type { Description } from "../read/load.js";
import { formatPointer, type SourceFile } from "../read/spec-node.js";
import { deepFreeze } from "./plain-data.js";
import { readErrors } from "./errors.js";
import { findOperations, operationNames, readOperations, readServers } from "./operations.js";
import { inheritOwners } from "./resources.js";
import { readSecuritySchemes, readScopeGrammar } from "./scopes.js";
import { SchemaReader, type Dialect } from "./schemas.js";
import { readSources, traceSources } from "./sources.js";

export interface BuildOptions {
  /** Names for a description that cannot be edited. Keys: an operationId, `get /path`, a schema name, or `file#pointer` of either. */
  readonly names: Readonly<Record<string, string>>;
  readonly requirements: SourceFile | undefined;
  /** The previous model of the same description. Unchanged parts keep their identity. */
  readonly previous?: Api | undefined;
}

/**
 * Builds the model of a linted description.
 * @throws A DiagnosticsError with everything that the model cannot express.
 */
export function buildApi(description: Description, options: BuildOptions): Api {
  const { root } = description;
  const info = root.get("info");
  const dialect = readDialect(description);
  const found = findOperations(root, options.names);
  const reader = new SchemaReader(dialect, { names: options.names, operations: operationNames(found) });
  const read = readOperations(root, found, reader);
  for (const [, schema] of root.get("components")?.get("schemas")?.entries() ?? [])
    reader.read(schema.withValue({ $ref: `#${formatPointer(schema.tokens)}` }));
  const about = {
    title: info?.text("title") ?? "",
    version: info?.text("version") ?? "",
    ...pickDefined("summary", info?.text("summary")),
    ...pickDefined("description", info?.text("description")),
    servers: readServers(root.get("servers")),
    tags: readTags(root),
    securitySchemes: readSecuritySchemes(root),
    ...pickDefined("scopeGrammar", readScopeGrammar(root)),
  };
  const errors = readErrors(root, reader.read);
  const clashes: Diagnostic[] = [];
  const { operations, linked, schemas } = resolveSchemaVariants(read, reader.named, (name, schema) => {
    const message = `The request variant of this schema would be called "${name}", and there is such a schema.`;
    clashes.push({
      code: "names/collision",
      severity: "error",
      origin: description.locate(schema.origin),
      message,
      fix: 'Rename one of them, or add "x-name".',
    });
  });
  const names = new Set(schemas.map(({ name }) => name));
  const users = new Map<string, Operation>();
  for (const operation of [...operations, ...linked]) {
    const types = operationTypeNames(operation.name, (name) => names.has(name));
    const other = types.map((type) => users.get(type)).find((each) => each !== undefined);
    for (const type of types) users.set(type, operation);
    const isReported = other?.name.toLowerCase() === operation.name.toLowerCase(); // the operations themselves have colliding names
    if (other === undefined || isReported) continue;
    clashes.push({
      code: "names/collision",
      severity: "error",
      origin: description.locate(operation.origin),
      message: `The types of "${other.name}" and "${operation.name}" would have the same names.`,
      fix: "Choose another name for one of them.",
    });
  }
  for (const { name, schema } of schemas) {
    const operation = users.get(name);
    if (operation === undefined) continue;
    const message = `The type name "${name}" is needed for the request or the error of ${operation.name}.`;
    clashes.push({
      code: "names/collision",
      severity: "error",
      origin: description.locate(schema.origin),
      message,
      fix: 'Add "x-name" to one of them, or an entry under "names" in plumbline.yaml.',
    });
  }
  const diagnostics = [...description.diagnostics, ...clashes];
  if (diagnostics.length > 0) throw new DiagnosticsError(diagnostics);
  const api: Api = {
    ...about,
    operations,
    operationsWithoutPath: linked,
    schemas,
    resources: inheritOwners(reader.resources),
    stateMachines: reader.stateMachines,
    errors,
    ...traceSources(description, options.requirements),
    origin: root.origin,
  };
  return deepFreeze(shareStructure(options.previous, api));
}

function readTags(root: Description["root"]): Api["tags"] {
  return (root.get("tags")?.items() ?? []).map((tag) => ({
    name: tag.text("name") ?? "",
    ...pickDefined("description", tag.text("description")),
    sources: readSources(tag),
    origin: tag.origin,
  }));
}

function readDialect({ root }: Description): Dialect {
  const version = root.text("openapi") ?? "";
  if (version.startsWith("3.0")) return "3.0";
  if (/^3\.[12]/.test(version)) return "3.1"; // the linter rejects all that only 3.2 has
  const found =
    root.text("swagger") === undefined
      ? `OpenAPI ${version || "of no version"}`
      : `Swagger ${root.text("swagger") ?? ""}`;
  const message = `This is ${found}; 3.0, 3.1 and 3.2 can be read.`;
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
