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
import { code, joinCode, jsonLiteral, propertyKey, printSourceFile, type Code } from "../printer.js";
import type { NamedChecks } from "./checks.js";
import { checkFunction, valueCheckFunction } from "./compile/functions.js";
import type { HoistedConstants } from "./compile/hoisted-constants.js";
import type { CompileContext } from "./compile/scope.js";
import { emitParameterDecoder } from "./decoders.js";
import { validatorCall, validatorFunction, validatorType } from "./runtime.js";

/** Emits `responses.ts`: the table of response validators, loaded only if an option enables them. The checks of named schemas are in `checks.ts`. */
export function emitResponseValidators(
  api: Api,
  checks: NamedChecks,
  { pool, hasHeaders }: { readonly pool: HoistedConstants; readonly hasHeaders: boolean },
): TextFile {
  const operations = [...api.operations, ...api.operationsWithoutPath];
  const entries = operations.map((operation) => {
    const statuses = statusesOf(operation, checks, pool);
    return code`${propertyKey(operation.name)}: { ${joinCode(statuses, code`, `)} }`;
  });
  const table = code`/** By operation, status and media type. */
export const responses: ${validatorType("ResponseValidators")} = { ${joinCode(entries, code`, `)} };`;
  const headers = hasHeaders && hasResponseHeaders(api) ? [emitResponseHeaders(api, operations, { checks, pool })] : [];
  return {
    path: "src/gen/responses.ts",
    text: printSourceFile([...pool.statements, table, ...headers], [...responseTables]),
  };
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

/** The names that the module exports. */
export const responseTables: readonly string[] = ["responses", "responseHeaders"];

/** Whether a response of the API documents headers. */
export function hasResponseHeaders({ operations, operationsWithoutPath }: Api): boolean {
  return [...operations, ...operationsWithoutPath].some(({ responses }) =>
    responses.some(({ headers }) => headers.length > 0),
  );
}

/** Emits the table of headers. */
function emitResponseHeaders(
  api: Api,
  operations: readonly Operation[],
  { checks, pool }: { readonly checks: NamedChecks; readonly pool: HoistedConstants },
): Code {
  const context = checks.context(pool, "validated", "./checks.js");
  const list = code`readonly ${validatorType("ParameterDefinition")}[]`;
  const entries = operations.flatMap(({ name: operation, responses }) => {
    const members = responses.flatMap(({ status, headers }) => {
      if (headers.length === 0) return [];
      const items = joinCode(
        headers.map((each) => headerData(each, api, context)),
        code`, `,
      );
      const shared = pool.share("headers", (name) => code`const ${name}: ${list} = [${items}];`);
      return [code`${propertyKey(String(status))}: ${shared}`];
    });
    if (members.length === 0) return [];
    const byStatus = code`{ ${joinCode(members, code`, `)} }`;
    const shared = pool.share(
      "headersByStatus",
      (name) => code`const ${name}: Readonly<Record<string, ${list}>> = ${byStatus};`,
    );
    return [code`${propertyKey(operation)}: ${shared}`];
  });
  return code`/** Checks headers, by operation and status. */
export const responseHeaders: ${validatorType("ResponseHeaderCheck")} = ${validatorCall("createHeaderCheck", code`{ ${joinCode(entries, code`, `)} }`)};`;
}

function headerData({ name, required, schema }: ResponseHeader, api: Api, context: CompileContext): Code {
  // The model does not say how an object is written.
  const isText = valueKinds(api).has(schema, "object");
  const value = isText ? anyText : schema;
  const check = valueCheckFunction(context, value, `header ${name}`);
  const entries = [
    code`name: ${jsonLiteral(name)}`,
    code`in: "header"`,
    ...(required ? [code`required: true`] : []),
    code`decode: ${emitParameterDecoder({ in: "header", style: "simple", explode: false, schema: value }, api)}`,
    ...(check === undefined ? [] : [code`check: ${check}`]),
  ];
  return code`{ ${joinCode(entries, code`, `)} }`;
}

const anyText: Schema = { types: ["string"], origin: { file: "", pointer: "" } };
