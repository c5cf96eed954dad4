import { generatedBanner } from "../banner.js";
import type { TextFile } from "../files.js";
import { code, joinCode, propertyKey, printSourceFile, type Code } from "../printer.js";
import type { ArtifactOptions } from "../generator.js";
import {
  type Api,
  type MediaTypeObject,
  type Operation,
  type Schema,
  isItemStream,
  mediaKind,
  memoize,
} from "@plumbline/model";
import { isSchemaFunction, NamedChecks } from "./checks.js";
import type { CustomChecks } from "./compile/custom.js";
import { checkFunction } from "./compile/functions.js";
import { HoistedConstants } from "./compile/hoisted-constants.js";
import { validatorFunction, validatorType } from "./runtime.js";

/** Emits `responses.ts`: the response validators, loaded only if an option enables them. `shared` are checks that requests need as well. */
export function emitResponseValidators(
  api: Api,
  operations: readonly Operation[],
  { shared, locate, custom }: ResponseSettings,
): readonly TextFile[] {
  // Several packages of one description contain the same file.
  const known = filesByOperations(api);
  const what = [
    ...operations.map(({ name }) => name),
    "",
    ...[...shared].toSorted(),
    "",
    ...(custom?.formats ?? ["-"]),
  ].join(" ");
  const files = known.get(what) ?? buildResponseValidators(api, operations, { shared, locate, custom });
  known.set(what, files);
  return files;
}

interface ResponseSettings extends Pick<ArtifactOptions, "locate"> {
  readonly shared: ReadonlySet<string>;
  readonly custom: CustomChecks | undefined;
}

const filesByOperations = memoize((_api) => new Map<string, readonly TextFile[]>());

function buildResponseValidators(
  api: Api,
  operations: readonly Operation[],
  { shared, locate, custom }: ResponseSettings,
): readonly TextFile[] {
  const checks = new NamedChecks(api, { external: shared, file: "./checks.js", custom });
  const pool = new HoistedConstants(["responses"], locate, (name) => isSchemaFunction(api, name));
  const entries = operations.map((operation) => {
    const statuses = statusesOf(operation, checks, pool);
    return code`${propertyKey(operation.name)}: { ${joinCode(statuses, code`, `)} }`;
  });
  const table = code`/** By operation, status and media type. */
export const responses: ${validatorType("ResponseValidators")} = { ${joinCode(entries, code`, `)} };`;
  return [{ path: "src/gen/responses.ts", text: printSourceFile([...checks.print(pool), table], generatedBanner) }];
}

function statusesOf(operation: Operation, checks: NamedChecks, pool: HoistedConstants): readonly Code[] {
  return operation.responses.map((response) => {
    const context = checks.context(pool, "validated");
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
