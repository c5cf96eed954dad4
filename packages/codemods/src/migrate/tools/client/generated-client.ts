import {
  distinctOperationTypeNames,
  pascalCase,
  schemasByName,
  type Api,
  type Operation,
  type OperationResponse,
  type Schema,
} from "@plumbline/kit/model";

/** A type as text, with the names in it that a file has to import. */
export interface TypeText {
  readonly text: string;
  readonly names: readonly string[];
}

/** What migrations know about the generated client of an API. */
export interface GeneratedClient {
  /** The operation at a method and a path template, whatever the names of its parameters. The path may begin with that of a server. */
  readonly operationAt: (method: string, path: string) => Operation | undefined;
  /** The type of the bodies of documented errors. Undefined if there are none. */
  readonly errorBodyOf: (operation: Operation) => TypeText | undefined;
  readonly requestTypeOf: (operation: Operation) => string;
  /** The generated type of a schema, by the name that the description or another generator has for it. */
  readonly schemaType: (name: string) => string | undefined;
  /** Whether the data of a successful response is always an object or a list, which no condition takes for absent. */
  readonly hasTruthyData: (operation: Operation) => boolean;
}

/** Reads the names of the generated client from the model. */
export function describeGeneratedClient(api: Api): GeneratedClient {
  const operations = new Map(api.operations.map((each) => [keyOf(each.method, each.path), each] as const));
  const schemas = schemasByName(api);
  const names = distinctOperationTypeNames(
    [...api.operations, ...api.operationsWithoutPath].map(({ name }) => name),
    (name) => schemas.get(name) !== undefined,
  );
  const resolve = (schema: Schema): Schema => (schema.ref === undefined ? schema : (schemas.get(schema.ref) ?? schema));
  return {
    operationAt(method, path) {
      const segments = path
        .replace(/^[a-z]+:\/\/[^/]+/i, "")
        .replace(/[?#][^]*$/, "")
        .split("/");
      const suffixes = segments.slice(1).map((_, index) => `/${segments.slice(index + 1).join("/")}`);
      for (const each of suffixes) {
        const operation = operations.get(keyOf(method, each));
        if (operation !== undefined) return operation;
      }
      return undefined;
    },
    errorBodyOf(operation) {
      const bodies = errorSchemas(operation);
      const refs = bodies.flatMap(({ ref }) => ref ?? []);
      if (bodies.length === 0) return undefined;
      const type = names.get(operation.name)?.[1] ?? operation.name;
      if (refs.length < bodies.length) return { text: `${type}["body"]`, names: [type] };
      const distinct = [...new Set(refs)];
      return { text: distinct.join(" | "), names: distinct };
    },
    requestTypeOf: (operation) => names.get(operation.name)?.[0] ?? operation.name,
    schemaType: (name) => [name, pascalCase(name) ?? name].find((each) => schemas.get(each) !== undefined),
    hasTruthyData(operation) {
      const successes = operation.responses.filter(({ status }) => !isError(status));
      return successes.every(({ contents }) => {
        const types = contents.flatMap(({ schema }) => resolve(schema).types);
        return types.length > 0 && types.every((each) => each === "object" || each === "array");
      });
    },
  };
}

/** What clients of an API send: nothing, a token by the option `token`, or the secrets of several schemes by `credentials`. */
export type ClientSecurity = "none" | "token" | "named";

export function clientSecurity({ securitySchemes: schemes }: Api): ClientSecurity {
  if (schemes.length === 0) return "none";
  return schemes.every(({ kind }) => ["bearer", "oauth2", "openIdConnect"].includes(kind)) ? "token" : "named";
}

function keyOf(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.replaceAll(/\{[^}]*\}/g, "{}")}`;
}

function isError(status: OperationResponse["status"]): boolean {
  return status === "default" || String(status) >= "4";
}

function errorSchemas({ responses }: Operation): readonly Schema[] {
  return responses
    .filter(({ status }) => isError(status))
    .flatMap(({ contents }) => contents.map(({ schema }) => schema));
}
