import {
  camelCase,
  distinctOperationTypeNames,
  pascalCase,
  type Api,
  type Operation,
  type Schema,
} from "@plumbline/kit/model";

/**
 * A part of an API, as the types of a client name it. `path` are the names of nested properties, without the items of arrays:
 * `["tags", "label"]` for the label of each tag.
 */
export interface ApiPart {
  readonly kind: ApiPartKind;
  /** The name of a schema, or of an operation in the model. */
  readonly owner: string;
  readonly path: readonly string[];
}

/** `parameters`: the path starts with the location, such as `["query", "page"]`. `success` and `failure`: the bodies of responses. */
export type ApiPartKind = "operation" | "schema" | "parameters" | "body" | "success" | "failure";

/** Formats a part as a key of maps. */
export function formatPart({ kind, owner, path }: ApiPart): string {
  return [`${kind} ${owner}`, ...path.map((name) => name.replaceAll("~", "~0").replaceAll("/", "~1"))].join("/");
}

/** The names that code has for the parts of an API. */
export interface ApiNames {
  /** The part that a declaration of the generated client stands for, by the names from the top of its file to the declaration. */
  readonly ofClient: (names: readonly string[]) => ApiPart | undefined;
  /** The same for types in the form of openapi-typescript: `paths`, `operations` and `components`. */
  readonly ofPaths: (names: readonly string[]) => ApiPart | undefined;
  /** The operation at a method, in any case, and a path of the description. */
  readonly operationAt: (method: string, path: string) => Operation | undefined;
  /** The field with the states that a function such as `waitForPet` waits for. */
  readonly stateOf: (name: string) => ApiPart | undefined;
  readonly operation: (name: string) => Operation | undefined;
  /** The schema of a name. */
  readonly schema: (name: string) => Schema | undefined;
}

/** Locations of parameters by the names of their groups in types. */
export const locations: Readonly<Record<string, string>> = {
  path: "path",
  query: "query",
  headers: "header",
  header: "header",
  cookies: "cookie",
  cookie: "cookie",
};

/** Reads the names of an API in the form of the generated client, and in that of openapi-typescript. */
export function createApiNames(api: Api): ApiNames {
  const operations = [...api.operations, ...api.operationsWithoutPath];
  const schemas = new Map(api.schemas.map(({ name, schema }) => [name, schema] as const));
  const byName = new Map(operations.map((each) => [each.name, each] as const));
  const bySignature = new Map(operations.map((each) => [`${each.method} ${each.path}`.toLowerCase(), each] as const));
  const types = readOperationTypes(operations, schemas);
  const functions = readFunctions(api, operations);
  const operationAt = (method: string, path: string): Operation | undefined =>
    bySignature.get(`${method} ${path}`.toLowerCase());

  return {
    ofClient([first = "", ...rest]) {
      const type = types.get(first);
      if (type !== undefined) return toOperationPart(type.kind, type.operation, rest);
      const operation = functions.get(first);
      if (operation !== undefined) return toOperationPart("success", operation, rest);
      return schemas.has(first) ? { kind: "schema", owner: first, path: rest } : undefined;
    },
    ofPaths([first, second = "", ...rest]) {
      if (first === "components") return second === "schemas" ? schemaPart(rest, schemas) : undefined;
      if (first === "operations") return responsePart(byName.get(camelCase(second) ?? second), rest);
      const [method = "", ...nested] = rest;
      return first === "paths" ? responsePart(operationAt(method, second), nested) : undefined;
    },
    operationAt,
    stateOf: (name) => {
      const machine = api.stateMachines.find(
        (each) => name === `waitFor${each.resource}` || name === `waitFor${each.name}`,
      );
      if (machine?.field === undefined) return undefined;
      return { kind: "schema", owner: machine.resource, path: [machine.field] };
    },
    operation: (name) => byName.get(name),
    schema: (name) => schemas.get(name),
  };
}

type OperationTypeKind = "request" | "failure" | "success" | "filter";

interface OperationType {
  readonly kind: OperationTypeKind;
  readonly operation: string;
}

/** The types of operations by their names: those of requests, errors, successful responses and filters. */
function readOperationTypes(
  operations: readonly Operation[],
  schemas: ReadonlyMap<string, Schema>,
): ReadonlyMap<string, OperationType> {
  const names = distinctOperationTypeNames(
    operations.map(({ name }) => name),
    (name) => schemas.has(name),
  );
  const types = new Map<string, OperationType>();
  for (const [operation, [request, error, success]] of names) {
    types.set(request, { kind: "request", operation });
    types.set(error, { kind: "failure", operation });
    types.set(success, { kind: "success", operation });
    const filter = `${pascalCase(operation) ?? operation}Filter`;
    if (!schemas.has(filter) && !types.has(filter)) types.set(filter, { kind: "filter", operation });
  }
  return types;
}

/** The functions that call an operation, by their names: its own, those for query libraries, and those that wait for a state. */
function readFunctions(api: Api, operations: readonly Operation[]): ReadonlyMap<string, string> {
  const waits = api.stateMachines.flatMap(({ resource, name }) => {
    const read = api.resources.find((each) => each.name === resource)?.read;
    return read === undefined ? [] : [resource, name].map((each) => [`waitFor${each}`, read] as const);
  });
  const calls = operations.flatMap(({ name }) =>
    ["", "Query", "InfiniteQuery", "Mutation"].map((ending) => [`${name}${ending}`, name] as const),
  );
  return new Map([...waits, ...calls]);
}

function toOperationPart(
  kind: OperationTypeKind,
  operation: string,
  [first, ...rest]: readonly string[],
): ApiPart | undefined {
  // The names in a filter are those of fields, which differences of the list are about.
  if (kind === "filter") return first === undefined ? { kind: "operation", owner: operation, path: [] } : undefined;
  if (kind !== "request") {
    const path = first === undefined ? [] : [first, ...rest];
    return { kind: path.length === 0 ? "operation" : kind, owner: operation, path };
  }
  if (first === undefined) return { kind: "operation", owner: operation, path: [] };
  if (first === "body") return { kind: "body", owner: operation, path: rest };
  const location = Object.hasOwn(locations, first) ? locations[first] : undefined;
  return location === undefined ? undefined : { kind: "parameters", owner: operation, path: [location, ...rest] };
}

function schemaPart(
  [name = "", ...path]: readonly string[],
  schemas: ReadonlyMap<string, Schema>,
): ApiPart | undefined {
  const owner = [name, pascalCase(name) ?? name].find((each) => schemas.has(each));
  return owner === undefined ? undefined : { kind: "schema", owner, path };
}

/** A part of an operation by names such as `responses`, `200`, `content`, `application/json` and those of properties. */
function responsePart(operation: Operation | undefined, names: readonly string[]): ApiPart | undefined {
  if (operation === undefined) return undefined;
  const { name: owner } = operation;
  const [first, second = "", ...rest] = names;
  switch (first) {
    case undefined:
      return { kind: "operation", owner, path: [] };
    case "parameters":
      return second === "" ? undefined : { kind: "parameters", owner, path: [locations[second] ?? second, ...rest] };
    case "requestBody":
      // `content` and the media type
      return { kind: "body", owner, path: rest.slice(1) };
    case "responses":
      return rest.length < 2
        ? undefined
        : { kind: /^[45]|default/.test(second) ? "failure" : "success", owner, path: rest.slice(2) };
    default:
      return undefined;
  }
}
