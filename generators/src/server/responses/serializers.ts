import {
  type TextFile,
  code,
  joinCode,
  propertyKey,
  jsonLiteral,
  printSourceFile,
  type Code,
  type ArtifactOptions,
} from "@plumbline/kit/codegen";
import { createConstants, NamedChecks } from "@plumbline/kit/codegen/validation";
import {
  type Api,
  type MediaTypeObject,
  type Operation,
  type OperationResponse,
  handlerHeaders,
  isItemStream,
  mediaKind,
} from "@plumbline/kit/model";
import { serverFunction, serverType } from "../runtime.js";
import { SerializerFunctions } from "./serializers/functions.js";
import { emitCallerCheck, type VisibilityContext } from "./serializers/visibility.js";

/**
 * Emits `serializers.ts`, which serializes responses: the documented fields of an object, and those of the branch that a
 * discriminator selects.
 * A union without a discriminator has the fields of all branches, so that a field of one may appear with another.
 */
export function emitSerializers(api: Api, { locate }: ArtifactOptions): readonly TextFile[] {
  const checks = new NamedChecks(api);
  const reservedNames = ["serializers", "responseVisibility", "responseHeaders"];
  const pool = createConstants(api, reservedNames, locate);
  const audience: VisibilityContext = { context: checks.context(pool, "validated"), locate };
  const functions = new SerializerFunctions(api.schemas, pool, audience);
  const operations = [...api.operations, ...api.operationsWithoutPath];
  const serializers = operations.map((operation) => entry(operation.name, statusesOf(operation, functions)));
  const declarations = functions.print();
  const visible = tableOf(operations, (operation, response) => visibilityCheck(operation, response, audience));
  const headers = tableOf(operations, (operation, response) => headersOf(api, operation, response));
  const tables = [
    code`/** Serializers of responses, by operation, status and media type. */
export const serializers: ${serverType("Serializers")} = ${record(serializers)};`,
    code`/** Checks of the callers who may receive a response, by operation and status. */
export const responseVisibility: ${serverType("ResponseVisibility")} = ${record(visible)};`,
    code`/** The headers that handlers set, by operation and status. */
export const responseHeaders: ${serverType("ResponseHeaders")} = ${record(headers)};`,
  ];
  return [
    {
      path: "src/gen/serializers.ts",
      text: printSourceFile([...checks.print(pool), ...declarations, ...tables]),
    },
  ];
}

function statusesOf(operation: Operation, functions: SerializerFunctions): Code {
  return record(
    operation.responses.map((response) => {
      const contents = response.contents.map((content) =>
        entry(content.mediaType, contentSerializer(content, functions, `${operation.name} ${response.status}`)),
      );
      return entry(String(response.status), record(contents));
    }),
  );
}

/** The serializer of a body that is JSON, or of the items of a stream. */
function contentSerializer(content: MediaTypeObject, functions: SerializerFunctions, hint: string): Code {
  const { mediaType, schema, itemSchema, itemData } = content;
  if (mediaKind(mediaType) === "json") return functions.of(schema, hint);
  if (itemSchema === undefined || !isItemStream(content)) return serverFunction("passthrough");
  const item = functions.of(itemSchema, `${hint} item`);
  return itemData === "json" ? code`${serverFunction("jsonData")}(${item})` : item;
}

function visibilityCheck(
  operation: Operation,
  { visibility, origin, status }: OperationResponse,
  audience: VisibilityContext,
): Code | undefined {
  if (visibility?.when === undefined) return undefined;
  return emitCallerCheck(visibility.when, origin, `${operation.name} ${status}`, audience);
}

function headersOf(api: Api, operation: Operation, response: OperationResponse): Code | undefined {
  const rules = handlerHeaders(api, operation, response).map(({ name, required }) =>
    jsonLiteral(required ? { name, required } : { name }),
  );
  return rules.length === 0 ? undefined : code`[${joinCode(rules, code`, `)}]`;
}

/** Returns a table of the operations and responses for which `say` returns code. */
function tableOf(
  operations: readonly Operation[],
  emit: (operation: Operation, response: OperationResponse) => Code | undefined,
): readonly Code[] {
  return operations.flatMap((operation) => {
    const entries = operation.responses.flatMap((response) => {
      const value = emit(operation, response);
      return value === undefined ? [] : [entry(String(response.status), value)];
    });
    return entries.length === 0 ? [] : [entry(operation.name, record(entries))];
  });
}

function entry(name: string, value: Code): Code {
  return code`${propertyKey(name)}: ${value}`;
}

function record(entries: readonly Code[]): Code {
  return entries.length === 0 ? code`{}` : code`{ ${joinCode(entries, code`, `)} }`;
}
