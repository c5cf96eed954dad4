import {
  type TextFile,
  code,
  mayBeScalar,
  joinCode,
  jsonLiteral,
  identifier,
  printSourceFile,
  importType,
  type Code,
  TypePrinter,
} from "@plumbline/kit/codegen";
import { type Api, type Operation, type OperationResponse, findJsonContent } from "@plumbline/kit/model";
import { errorTypeName } from "./names.js";
import { clientRuntime } from "./runtime.js";
import { uploadOperations } from "./uploads.js";

/** Emits `errors.ts`: the error type of each operation, by documented status. */
export function emitClientErrors(api: Api): readonly TextFile[] {
  const printer = new TypePrinter(api);
  const uploads = uploadOperations(api);
  const types = [...api.operations, ...uploads].map((operation) =>
    errorType(operation, { api, printer, isConverted: !uploads.includes(operation) }),
  );
  return [
    {
      path: "src/gen/errors.ts",
      text: printSourceFile(types) + (types.length === 0 ? "export {};\n" : ""),
    },
  ];
}

interface ErrorContext {
  readonly api: Api;
  readonly printer: TypePrinter;
  /** True if calls convert the bodies of errors. */
  readonly isConverted: boolean;
}

function errorType(operation: Operation, context: ErrorContext): Code {
  const { api } = context;
  const errors = operation.responses.filter(isErrorResponse);
  const documented = errors.map((response) => response.status);
  const members = errors.map((response) => {
    return code`${importType("ApiError", clientRuntime)}<${statusType(response.status, documented)}, ${bodyType(response, context)}>`;
  });
  const union = members.length === 0 ? code`${importType("ApiError", clientRuntime)}` : joinCode(members, code` | `);
  return code`/** The documented errors of \`${identifier(operation.name)}\`, by status. A \`CallError\` adds the others. */\nexport type ${identifier(errorTypeName(api, operation))} = ${union};`;
}

/** A range excludes the statuses that are documented on their own, and `default` excludes the documented ranges as well. */
function statusType(status: OperationResponse["status"], documented: readonly OperationResponse["status"][]): Code {
  if (typeof status === "number") return jsonLiteral(status);
  const ranges = documented.flatMap((each) =>
    typeof each === "string" && each !== "default" ? [rangeType(each)] : [],
  );
  const numbers = documented.filter((each) => typeof each === "number");
  if (status === "default") {
    const besides = [...numbers.map(jsonLiteral), ...ranges];
    const other = importType("UndocumentedStatus", clientRuntime);
    return besides.length === 0 ? other : code`${other}<${joinCode(besides, code` | `)}>`;
  }
  const within = numbers.filter((each) => String(each).startsWith(status.charAt(0))).map(jsonLiteral);
  return within.length === 0 ? rangeType(status) : code`Exclude<${rangeType(status)}, ${joinCode(within, code` | `)}>`;
}

function rangeType(range: string): Code {
  return code`${importType("StatusInRange", clientRuntime)}<${jsonLiteral(range)}>`;
}

/** True for the statuses for which `response.ok` of `fetch` is false. These include 304. */
export function isErrorResponse(response: OperationResponse): boolean {
  if (response.status === "default") return true;
  return typeof response.status === "number" ? response.status >= 300 : /^[345]/.test(response.status);
}

function bodyType(response: OperationResponse, { api, printer, isConverted }: ErrorContext): Code {
  const content = findJsonContent(response.contents);
  if (content !== undefined)
    return isConverted && !mayBeScalar(api, content.schema)
      ? printer.type(content.schema, "./types.js")
      : printer.unconvertedType(content.schema, "./types.js");
  // Without a JSON media type, an error keeps the body as text.
  return response.contents.length > 0 ? code`string` : code`unknown`;
}
