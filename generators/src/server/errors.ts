import {
  type TextFile,
  code,
  docComment,
  joinCode,
  propertyKey,
  jsonLiteral,
  identifier,
  type Code,
  type ArtifactOptions,
} from "@plumbline/kit/codegen";
import {
  CheckFile,
  emitCondition,
  emitOperationTable,
  listLiteral,
  objectLiteral,
  tableMember,
} from "@plumbline/kit/codegen/conditions";
import { serverRuntime } from "@plumbline/kit/codegen/validation";
import {
  type Api,
  type ErrorDefinition,
  type Json,
  type Operation,
  firstErrors,
  operationErrors,
  schemaErrors,
  type SchemaError,
  camelCase,
  endSentence,
  DiagnosticsError,
  type Diagnostic,
} from "@plumbline/kit/model";
import { serverFunction, serverType } from "./runtime.js";

/** Emits `errors.ts`: the documented errors for handlers to throw, and the errors with a condition. */
export function emitServerErrors(api: Api, options: ArtifactOptions): readonly TextFile[] {
  const file = new CheckFile(api, options, [
    "errors",
    "Errors",
    "sharedErrors",
    "operationErrors",
    "sharedErrorByStatus",
    "conditionalErrors",
    "NotImplementedError",
  ]);
  const all = [...api.operations, ...api.operationsWithoutPath];
  const errorsByOperation = all.map((operation) => [operation.name, operationErrors(api, operation)] as const);
  const throwable = throwableErrors([...api.errors, ...errorsByOperation.flatMap(([, errors]) => errors)], options);
  return [
    file.print("src/gen/errors.ts", [
      code`export { ${identifier("NotImplementedError")} } from ${jsonLiteral(serverRuntime)};`,
      code`${docComment(["Documented errors, for handlers to throw."])}
export interface Errors {\n${throwable.map(({ methodName, lines }) => code`${docComment(lines)}\n${propertyKey(methodName)}(options?: ${serverType("OperationErrorOptions")}): ${serverType("OperationError")};`)}\n}`,
      code`export const errors: Errors = { ${joinCode(
        throwable.map(
          ({ methodName, id }) =>
            code`${propertyKey(methodName)}: (options) => new ${serverFunction("OperationError")}(${jsonLiteral(id)}, options)`,
        ),
        code`, `,
      )} };`,
      code`${docComment(["Errors that all operations share."])}
export const sharedErrors: ${serverType("ErrorDefinitions")} = { ${joinCode(toErrorEntries(firstErrors(api.errors)), code`, `)} };`,
      emitOperationTable(
        "operationErrors",
        {
          about: "Errors of each operation, including those that all operations share.",
          type: serverType("ErrorDefinitions"),
        },
        errorsByOperation
          .filter(([, errors]) => errors.length > 0)
          .map(([operation, errors]) => {
            const entries = joinCode(toErrorEntries(errors), code`, `);
            return [operation, code`{ ...${identifier("sharedErrors")}, ${entries} }`] as const;
          }),
      ),
      code`${docComment(["The id of the shared error for each status."])}
export const sharedErrorByStatus: ${serverType("ErrorIdByStatus")} = ${jsonLiteral(errorIdByStatus(api.errors))};`,
      emitOperationTable(
        "conditionalErrors",
        {
          about: "Errors with a condition, which the server evaluates.",
          type: code`readonly ${serverType("ErrorRule")}[]`,
        },
        all.flatMap((operation) => emitConditions(api, operation, file)),
      ),
    ]),
  ];
}

function emitConditions(api: Api, operation: Operation, file: CheckFile): readonly (readonly [string, Code])[] {
  const rules = conditionalErrors(api, operation).map(({ error, pointer, merged }) =>
    objectLiteral({
      id: jsonLiteral(error.id),
      when: error.when && emitCondition(error.when, file.context, `${operation.name} ${error.id}`),
      pointer: jsonLiteral(pointer),
      merged: merged === undefined ? undefined : jsonLiteral(merged),
    }),
  );
  return rules.length === 0 ? [] : [[operation.name, listLiteral(rules)]];
}

function conditionalErrors(api: Api, operation: Operation): readonly SchemaError[] {
  const stated = operation.errors.map((error): SchemaError => ({ error, pointer: [] }));
  return [...stated, ...schemaErrors(api, operation)].filter(({ error }) => error.when !== undefined);
}

interface ThrowableError {
  readonly id: string;
  readonly methodName: string;
  readonly lines: readonly string[];
}

/**
 * Returns the errors by id. The statuses and summaries of one id in several operations are merged.
 * @throws A DiagnosticsError with every error whose id is not a usable name.
 */
function throwableErrors(
  errors: readonly ErrorDefinition[],
  { source, locate }: ArtifactOptions,
): readonly ThrowableError[] {
  const byId = new Map<string, [ErrorDefinition, ...ErrorDefinition[]]>();
  for (const error of errors) {
    const same = byId.get(error.id);
    if (same === undefined) byId.set(error.id, [error]);
    else same.push(error);
  }
  const names = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  const throwables = [...byId].map(([id, same]) => {
    const methodName = camelCase(id) ?? "";
    const [{ origin }] = same;
    const earlier = names.get(methodName);
    names.set(methodName, id);
    const report = (what: string, message: string, fix: string): void =>
      void diagnostics.push({ code: what, severity: "error", origin: locate(origin), message, fix });
    if (methodName === "")
      report("names/unusable", `No name can be derived from the error "${id}".`, "Give it another id.");
    else if (earlier !== undefined)
      report(
        "names/collision",
        `The errors "${earlier}" and "${id}" are both called ${methodName}.`,
        "Give one another id.",
      );
    const meanings = [...new Set(same.map(({ status, summary }) => endSentence(`${status}: ${summary ?? id}`)))];
    return { id, methodName, lines: [...meanings, "", `From ${source(origin)}`] };
  });
  if (diagnostics.length > 0) throw new DiagnosticsError(diagnostics);
  return throwables;
}

function toErrorEntries(errors: readonly ErrorDefinition[]): readonly Code[] {
  return errors.map((error) => tableMember(error.id, jsonLiteral(errorData(error)), serverType("ErrorDefinition")));
}

function errorData(error: ErrorDefinition): { readonly [key: string]: Json } {
  const { status, field, retry } = error;
  return {
    status,
    ...(field === undefined ? {} : { field }),
    reason: reasonOf(error),
    ...(retry ? { retry: true } : {}),
  };
}

/** Returns the reason of an error: the first sentence of the summary if it contains all of `reasonContains`, and otherwise these. */
function reasonOf({ id, summary = id, reasonContains }: ErrorDefinition): string {
  const [sentence = id] = summary.split(/\.(?:\s|$)/, 1);
  const isComplete = reasonContains.every((each) => sentence.toLowerCase().includes(each.toLowerCase()));
  return isComplete ? sentence : reasonContains.join(" ");
}

function errorIdByStatus(errors: readonly ErrorDefinition[]): Readonly<Record<string, string>> {
  const first = errors.toReversed().map(({ status, id }) => [String(status), id] as const);
  return Object.fromEntries(first);
}
