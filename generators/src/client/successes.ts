import {
  type TextFile,
  code,
  joinCode,
  jsonLiteral,
  identifier,
  printSourceFile,
  importType,
  renderCode,
  type Code,
  TypePrinter,
} from "@plumbline/kit/codegen";
import type { Api, Operation, OperationResponse } from "@plumbline/kit/model";
import { isNameFree, successTypeName } from "./names.js";
import { dataType, successResponses } from "./responses.js";
import { clientRuntime } from "./runtime.js";

/** Emits `successes.ts`: the status, headers and data of the successful responses of each operation. */
export function emitClientSuccesses(api: Api): readonly TextFile[] {
  const printer = new TypePrinter(api);
  const { operations } = api;
  const shared = sharedHeaders(api, operations);
  const aliases = [...shared.values()].map(
    ({ name, headers }) =>
      code`/** The headers of responses of several operations. */\nexport type ${identifier(name)} = ${headers};`,
  );
  const types = operations.map((operation) => successType(operation, { api, printer, shared }));
  const text = printSourceFile([...aliases, ...types]) + (types.length === 0 ? "export {};\n" : "");
  return [{ path: "src/gen/successes.ts", text }];
}

interface SuccessContext {
  readonly api: Api;
  readonly printer: TypePrinter;
  /** The names of types of headers that several operations have, by their text. */
  readonly shared: ReadonlyMap<string, SharedHeaders>;
}

interface SharedHeaders {
  readonly name: string;
  readonly headers: Code;
}

function successType(operation: Operation, { api, printer, shared }: SuccessContext): Code {
  const responses = successResponses(operation);
  const members = responses.map((response) => {
    const headers = headersType(response);
    const alias = headers && shared.get(renderCode(headers))?.name;
    const data = dataType(response, printer, "./types.js");
    const more = headers === undefined ? code`` : code`, ${alias === undefined ? headers : identifier(alias)}`;
    return code`${importType("SuccessResponse", clientRuntime)}<${statusType(response)}, ${data}${more}>`;
  });
  const union =
    members.length === 0
      ? code`${importType("SuccessResponse", clientRuntime)}<number, undefined>`
      : joinCode(members, code` | `);
  return code`/** The successful responses of \`${identifier(operation.name)}\`. */\nexport type ${identifier(successTypeName(api, operation))} = ${union};`;
}

function statusType({ status }: OperationResponse): Code {
  return typeof status === "number" ? jsonLiteral(status) : code`number`;
}

/** The documented headers: those that are always there, and those that may be. Undefined without any. */
function headersType({ headers }: OperationResponse): Code | undefined {
  const namesOf = (isRequired: boolean): Code => {
    const names = headers.filter(({ required }) => required === isRequired).map(({ name }) => jsonLiteral(name));
    return names.length === 0 ? code`never` : joinCode(names, code` | `);
  };
  return headers.length === 0
    ? undefined
    : code`${importType("ResponseHeaders", clientRuntime)}<${namesOf(true)}, ${namesOf(false)}>`;
}

/** Headers that several responses have, by their text. */
function sharedHeaders(api: Api, operations: readonly Operation[]): ReadonlyMap<string, SharedHeaders> {
  const counts = new Map<string, { readonly headers: Code; readonly count: number }>();
  for (const response of operations.flatMap(successResponses)) {
    const headers = headersType(response);
    if (headers === undefined) continue;
    const text = renderCode(headers);
    counts.set(text, { headers, count: (counts.get(text)?.count ?? 0) + 1 });
  }
  const repeated = [...counts].filter(([, { count }]) => count > 1);
  return new Map(
    repeated.map(([text, { headers }], index) => {
      const name = `CommonHeaders${index === 0 ? "" : index + 1}`;
      return [text, { name: isNameFree(api, name) ? name : `${name}Type`, headers }] as const;
    }),
  );
}
