import { type MediaTypeObject, type Operation, type Schema, isItemStream, mediaKind } from "../../model/index.js";
import type { TextFile } from "../files.js";
import { code, joinCode, propertyKey, printSourceFile, type Code } from "../printer.js";
import type { NamedChecks } from "./checks.js";
import { checkFunction } from "./compile/functions.js";
import type { HoistedConstants } from "./compile/hoisted-constants.js";
import { validatorFunction, validatorType } from "./runtime.js";

/** Emits `responses.ts`: the table of response validators, loaded only if an option enables them. The checks of named schemas are in `checks.ts`. */
export function emitResponseValidators(
  operations: readonly Operation[],
  checks: NamedChecks,
  pool: HoistedConstants,
): TextFile {
  const entries = operations.map((operation) => {
    const statuses = statusesOf(operation, checks, pool);
    return code`${propertyKey(operation.name)}: { ${joinCode(statuses, code`, `)} }`;
  });
  const table = code`/** By operation, status and media type. */
export const responses: ${validatorType("ResponseValidators")} = { ${joinCode(entries, code`, `)} };`;
  return {
    path: "src/gen/responses.ts",
    text: printSourceFile([...pool.statements, table], ["responses"]),
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
