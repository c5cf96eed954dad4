import {
  code,
  docComment,
  identifier,
  importType,
  importValue,
  joinCode,
  jsonLiteral,
  printSourceFile,
  TypePrinter,
  type ArtifactOptions,
  type Code,
  type TextFile,
} from "@plumbline/kit/codegen";
import { memoize, type Api, type Operation } from "@plumbline/kit/model";
import { errorTypeName, operationFile, requestTypeName } from "../names.js";
import { requiresRequest } from "../operations.js";
import { resultType, returnsStream, successResponses } from "../responses.js";
import { clientRuntime } from "../runtime.js";
import { callOptionsType } from "../security.js";
import { changedSubjects, isQuery, querySubject } from "./query-subjects.js";

/** Emits `query.ts`: the options of queries and mutations for TanStack Query and SWR, a function for each. */
export function emitClientQueries(api: Api, { package: name }: ArtifactOptions): readonly TextFile[] {
  const names = queryNames(api);
  const context = { api, printer: new TypePrinter(api), package: name };
  const statements = api.operations.flatMap((operation) =>
    kindsOf(operation).map((kind) => emitters[kind](operation, names.get(keyOf(operation, kind)) ?? "", context)),
  );
  const values = ["changedBy", "swr", "swrInfinite", "swrMutation"].map(identifier);
  const types = ["InfiniteQuery", "Mutation", "Query", "QueryKey", "QueryKeyPrefix"].map(identifier);
  const exported = [
    code`export { ${joinCode(values, code`, `)} } from ${jsonLiteral(clientRuntime)};`,
    code`export type { ${joinCode(types, code`, `)} } from ${jsonLiteral(clientRuntime)};`,
  ];
  const text = printSourceFile([...statements, ...exported], [...names.values()]);
  return [{ path: "src/gen/query.ts", text }];
}

interface QueryContext {
  readonly api: Api;
  readonly printer: TypePrinter;
  /** The name of the package, with which keys start. */
  readonly package: string;
}

type Kind = "Query" | "InfiniteQuery" | "Mutation";

function kindsOf(operation: Operation): readonly Kind[] {
  if (!isQuery(operation)) return ["Mutation"];
  if (returnsStream(operation)) return [];
  // The cursor of the next page is no number, which infinite queries count.
  return operation.pagination?.envelope.pages === undefined ? ["Query"] : ["Query", "InfiniteQuery"];
}

/** The names of the functions, by operation and kind: `listPetsQuery`, `listPetsInfiniteQuery`, `createPetMutation`. */
export const queryNames: (api: Api) => ReadonlyMap<string, string> = memoize((api) => {
  const used = new Set<string>();
  return new Map(
    api.operations.flatMap((operation) =>
      kindsOf(operation).map((kind) => {
        let name = `${operation.name}${kind}`;
        while (used.has(name)) name += "Options";
        used.add(name);
        return [keyOf(operation, kind), name] as const;
      }),
    ),
  );
});

/** Returns the name of the query of an operation. */
export function queryName(api: Api, operation: Operation, kind: Kind): string | undefined {
  return queryNames(api).get(keyOf(operation, kind));
}

function keyOf({ name }: Operation, kind: Kind): string {
  return `${name} ${kind}`;
}

interface QueryParts {
  readonly client: Code;
  readonly options: Code;
  readonly request: Code;
  /** The function of the operation. */
  readonly own: Code;
  readonly result: Code;
  readonly error: Code;
  readonly parameters: Code;
  readonly key: Code;
}

const emitters: Readonly<Record<Kind, (operation: Operation, name: string, context: QueryContext) => Code>> = {
  Query: (operation, name, context) => {
    const { own, result, error, parameters, key } = partsOf(operation, context);
    return code`${docComment([`The query of \`${operation.name}\`.`])}
export function ${identifier(name)}(${parameters}): ${importType("Query", clientRuntime)}<${result}, ${error}> {
  return ${importValue("createQuery", clientRuntime)}(${own}, ${key}, client, request, options);
}`;
  },
  InfiniteQuery: (operation, name, context) => {
    const { own, result, error, parameters, key } = partsOf(operation, context);
    const { page = "", envelope } = operation.pagination ?? {};
    return code`${docComment([`The query of the pages of \`${operation.name}\`.`])}
export function ${identifier(name)}(${parameters}): ${importType("InfiniteQuery", clientRuntime)}<${result}, ${error}> {
  return ${importValue("createInfiniteQuery", clientRuntime)}(${own}, ${key}, ${jsonLiteral({ page, pages: envelope?.pages ?? "" })}, client, request, options);
}`;
  },
  Mutation: (operation, name, context) => {
    const { client, options, own, error, request } = partsOf(operation, context);
    const variables = requiresRequest(operation) ? request : code`${request} | void`;
    const changes = changedSubjects(context.api, operation);
    const subjects = changes.map((each) => `\`${each}\``).join(", ");
    const about = [
      `The mutation \`${operation.name}\`.`,
      ...(subjects === "" ? [] : [`Invalidates queries about ${subjects}.`]),
    ];
    return code`${docComment([about.join(" ")])}
export function ${identifier(name)}(client: ${client}, options?: ${options}): ${importType("Mutation", clientRuntime)}<${variables}, ${resultType(operation, context.printer, "./types.js")}, ${error}> {
  return ${importValue("createMutation", clientRuntime)}(${own}, ${jsonLiteral([context.package, operation.name])}, ${jsonLiteral([...changes])}, client, options);
}`;
  },
};

function partsOf(operation: Operation, { api, printer, package: packageName }: QueryContext): QueryParts {
  const file = operationFile(api, operation);
  const client = importType("Client", clientRuntime);
  const options = importType(callOptionsType(api), clientRuntime);
  const request = importType(requestTypeName(api, operation), file);
  const required = requiresRequest(operation) ? code`request: ${request}` : code`request: ${request} = {}`;
  const result = resultType(operation, printer, "./types.js");
  return {
    client,
    options,
    request,
    own: importValue(operation.name, file),
    result: mayBeEmpty(operation) ? code`${importType("QueryData", clientRuntime)}<${result}>` : result,
    error: importType(errorTypeName(api, operation), "./errors.js"),
    parameters: code`client: ${client}, ${required}, options?: ${options}`,
    key: jsonLiteral([packageName, querySubject(api, operation), operation.name]),
  };
}

function mayBeEmpty(operation: Operation): boolean {
  const responses = successResponses(operation);
  return responses.length === 0 || responses.some(({ contents }) => contents.length === 0);
}
