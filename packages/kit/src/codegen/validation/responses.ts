import {
  type Api,
  type MediaTypeObject,
  type Operation,
  type ResponseHeader,
  type Schema,
  isItemStream,
  mediaKind,
  valueKinds,
} from "../../model/index.js";
import type { TextFile } from "../files.js";
import { code, importValue, joinCode, jsonLiteral, propertyKey, printSourceFile, type Code } from "../printer.js";
import type { NamedChecks } from "./checks.js";
import { acceptsAll, checkFunction, valueCheckFunction } from "./compile/functions.js";
import type { HoistedConstants } from "./compile/hoisted-constants.js";
import type { CompileContext } from "./compile/scope.js";
import { emitParameterDecoder } from "./decoders.js";
import { validatorCall, validatorFunction, validatorType } from "./runtime.js";

/** Emits `responses.ts`: the table of response validators, loaded only if an option enables them. The checks of named schemas are in `checks.ts`. */
export function emitResponseValidators(api: Api, checks: NamedChecks, pool: HoistedConstants): TextFile {
  const operations = [...api.operations, ...api.operationsWithoutPath];
  const entries = operations.map((operation) => {
    const statuses = statusesOf(operation, checks, pool);
    return code`${propertyKey(operation.name)}: { ${joinCode(statuses, code`, `)} }`;
  });
  const table = code`/** By operation, status and media type. */
export const responses: ${validatorType("ResponseValidators")} = { ${joinCode(entries, code`, `)} };`;
  return { path: "src/gen/responses.ts", text: printSourceFile([...pool.statements, table], ["responses"]) };
}

function statusesOf(operation: Operation, checks: NamedChecks, pool: HoistedConstants): readonly Code[] {
  return operation.responses.map((response) => {
    const context = checks.context(pool, "validated", "./checks.js");
    const contents = response.contents.map((content) => {
      const schema = mediaKind(content.mediaType) === "json" ? content.schema : streamedSchema(content);
      const check =
        schema === undefined
          ? validatorFunction("noValidation")
          : checkFunction(context, schema, `${operation.name} ${response.status}`);
      return code`${propertyKey(content.mediaType)}: ${check}`;
    });
    return code`${propertyKey(String(response.status))}: { ${joinCode(contents, code`, `)} }`;
  });
}

/** The schema of the items of a stream: a server validates each as it is sent. */
function streamedSchema(content: MediaTypeObject): Schema | undefined {
  return isItemStream(content) ? content.itemSchema : undefined;
}

/** Whether a response of the API documents headers. */
export function hasResponseHeaders({ operations, operationsWithoutPath }: Api): boolean {
  return [...operations, ...operationsWithoutPath].some(({ responses }) =>
    responses.some(({ headers }) => headers.length > 0),
  );
}

/** Emits `response-headers.ts`, the check of headers. For each status, most operations have the same ones; the others are exceptions. */
export function emitResponseHeaders(api: Api, checks: NamedChecks, pool: HoistedConstants): readonly TextFile[] {
  if (!hasResponseHeaders(api)) return [];
  const context = checks.context(pool, "validated", "./checks.js");
  const none = code`[]`;
  const listOf = (headers: readonly ResponseHeader[]): Code => {
    const items = headers.flatMap((each) => headerData(each, api, context));
    if (items.length === 0) return none;
    const type = code`readonly ${validatorType("ParameterDefinition")}[]`;
    return pool.share("headers", (name) => code`const ${name}: ${type} = [${joinCode(items, code`, `)}];`);
  };
  const byOperation = [...api.operations, ...api.operationsWithoutPath].map(({ name, responses }) => ({
    name,
    lists: responses.map(({ status, headers }) => [String(status), listOf(headers)] as const),
  }));
  const byStatus = new Map<string, Map<Code, number>>();
  for (const [status, list] of byOperation.flatMap(({ lists }) => lists)) {
    const counts = byStatus.get(status) ?? new Map<Code, number>();
    byStatus.set(status, counts.set(list, (counts.get(list) ?? 0) + 1));
  }
  const common = new Map([...byStatus].map(([status, counts]) => [status, mostFrequent(counts)]));
  const members = byOperation.flatMap(({ name, lists }) => {
    const others = lists.filter(([status, list]) => list !== common.get(status));
    return others.length === 0 ? [] : [code`${propertyKey(name)}: ${statusTable(others)}`];
  });
  const commonTable = statusTable([...common].filter(([, list]) => list !== none));
  const exceptionTable = members.length === 0 ? code`` : code`, { ${joinCode(members, code`, `)} }`;
  const responses = importValue("responses", "./responses.js");
  const check = code`/** Checks headers: those that most operations have, by status, and exceptions by operation. */
export const responseHeaders: ${validatorType("ResponseHeaderCheck")} = ${validatorCall("createHeaderCheck", code`${responses}, ${commonTable}${exceptionTable}`)};`;
  return [{ path: responseHeadersFile, text: printSourceFile([...pool.statements, check], ["responseHeaders"]) }];
}

/** A server has no use for it: it writes the headers itself. */
export const responseHeadersFile = "src/gen/response-headers.ts";

function statusTable(lists: readonly (readonly [status: string, list: Code])[]): Code {
  return code`{ ${joinCode(
    lists.map(([status, list]) => code`${propertyKey(status)}: ${list}`),
    code`, `,
  )} }`;
}

/** The first of the most frequent lists. */
function mostFrequent(counts: ReadonlyMap<Code, number>): Code {
  return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most))[0];
}

/** Nothing for a header that may have any text. */
function headerData({ name, required, schema }: ResponseHeader, api: Api, context: CompileContext): readonly Code[] {
  // The model does not say how an object is written.
  const value = valueKinds(api).has(schema, "object") ? anyText : schema;
  const hint = `header ${name}`;
  if (!required && value.types.includes("string") && acceptsAll(context, { ...value, types: [] }, hint)) return [];
  const check = valueCheckFunction(context, value, hint);
  const entries = [
    code`name: ${jsonLiteral(name)}`,
    code`in: "header"`,
    ...(required ? [code`required: true`] : []),
    code`decode: ${emitParameterDecoder({ in: "header", style: "simple", explode: false, schema: value }, api)}`,
    ...(check === undefined ? [] : [code`check: ${check}`]),
  ];
  return [code`{ ${joinCode(entries, code`, `)} }`];
}

const anyText: Schema = { types: ["string"], origin: { file: "", pointer: "" } };
