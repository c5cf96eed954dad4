import { ProblemError, type Problem } from "../problem.js";
import type { Description } from "../spec/load.js";
import { pointerOf, type SourceFile } from "../spec/place.js";
import type { Api, Operation } from "./api.js";
import { freeze, given } from "./data.js";
import { readFailures } from "./errors.js";
import { settleForms } from "./forms.js";
import { typesOf } from "./names.js";
import { findOperations, operationNames, readOperations, readServers } from "./operations.js";
import { inheritOwners } from "./resources.js";
import { readSchemes, readScopeGrammar } from "./scopes.js";
import { ShapeReader, type Dialect } from "./shapes.js";
import { reuse } from "./reuse.js";
import { readSources, traceSources } from "./sources.js";

export interface BuildOptions {
  /** Names for a description that cannot be edited. Keys: an operationId, `get /path`, a schema name, or `file#pointer` of either. */
  readonly names: Readonly<Record<string, string>>;
  readonly requirements: SourceFile | undefined;
  /** The previous model of the same description. Unchanged parts keep their identity. */
  readonly before?: Api | undefined;
}

/**
 * Builds the model of a linted description.
 * @throws A ProblemError with everything that the model cannot express.
 */
export function buildApi(description: Description, options: BuildOptions): Api {
  const { root } = description;
  const info = root.get("info");
  const dialect = readDialect(description);
  const found = findOperations(root, options.names);
  const reader = new ShapeReader(dialect, { names: options.names, operations: operationNames(found) });
  const read = readOperations(root, found, reader);
  for (const [, schema] of root.get("components")?.get("schemas")?.entries() ?? [])
    reader.read(schema.pretend({ $ref: `#${pointerOf(schema.tokens)}` }));
  const about = {
    title: info?.text("title") ?? "",
    version: info?.text("version") ?? "",
    ...given("summary", info?.text("summary")),
    ...given("description", info?.text("description")),
    servers: readServers(root.get("servers")),
    areas: readAreas(root),
    schemes: readSchemes(root),
    ...given("scopes", readScopeGrammar(root)),
  };
  const failures = readFailures(root, reader.read);
  const clashes: Problem[] = [];
  const { operations, linked, shapes } = settleForms(read, reader.named, (name, shape) => {
    const message = `The request form of this schema would be called "${name}", and there is such a schema.`;
    clashes.push({
      code: "names/collision",
      severity: "error",
      origin: description.locate(shape.origin),
      message,
      fix: 'Rename one of them, or add "x-name".',
    });
  });
  const users = new Map<string, Operation>();
  for (const operation of [...operations, ...linked]) {
    const types = typesOf(operation.name);
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
  for (const { name, shape } of shapes) {
    const operation = users.get(name);
    if (operation === undefined) continue;
    const message = `The type name "${name}" is needed for the request or the error of ${operation.name}.`;
    clashes.push({
      code: "names/collision",
      severity: "error",
      origin: description.locate(shape.origin),
      message,
      fix: 'Add "x-name" to one of them, or an entry under "names" in plumbline.yaml.',
    });
  }
  const problems = [...description.problems, ...clashes];
  if (problems.length > 0) throw new ProblemError(problems);
  const api: Api = {
    ...about,
    operations,
    linked,
    shapes,
    resources: inheritOwners(reader.resources),
    machines: reader.machines,
    failures,
    ...traceSources(description, options.requirements),
    origin: root.origin,
  };
  return freeze(reuse(options.before, api));
}

function readAreas(root: Description["root"]): Api["areas"] {
  return (root.get("tags")?.items() ?? []).map((tag) => ({
    name: tag.text("name") ?? "",
    ...given("description", tag.text("description")),
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
  throw new ProblemError([
    {
      code: "description/version",
      severity: "error",
      origin: root.located,
      message,
      fix: "Convert it to OpenAPI 3.1 first.",
    },
  ]);
}
