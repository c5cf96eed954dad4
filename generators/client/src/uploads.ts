import { generatedBanner } from "../../../packages/codegen/src/banner.js";
import type { TextFile } from "../../../packages/codegen/src/files.js";
import {
  code,
  docComment,
  importValue,
  joinCode,
  jsonLiteral,
  identifier,
  printSourceFile,
  importType,
} from "../../../packages/codegen/src/printer.js";
import type { ArtifactOptions } from "../../../packages/codegen/src/generator.js";
import type { Api, Operation } from "../../../packages/model/src/api.js";
import { preferredContent, mediaKind } from "../../../packages/model/src/media.js";
import { memoize } from "../../../packages/model/src/incremental/memoize.js";
import { TypePrinter } from "../../../packages/codegen/src/types/print.js";
import { describeOperation } from "./documentation.js";
import { errorTypeName } from "./names.js";
import { emitResponseDecoder, resultType } from "./responses.js";
import { clientRuntime } from "./runtime.js";

/** Emits `uploads.ts`: functions that send data to addresses from responses. */
export function emitUploads(api: Api, options: ArtifactOptions): readonly TextFile[] {
  const found = uploadOperations(api);
  if (found.length === 0) return [];
  const printer = new TypePrinter(api);
  const statements = found.map((operation) => {
    const error = importType(errorTypeName(api, operation), "./errors.js");
    const data = [
      code`method: ${jsonLiteral(operation.method)}`,
      code`mediaType: ${jsonLiteral(mediaTypeOf(operation) ?? "")}`,
      ...emitResponseDecoder(operation),
    ];
    return code`${docComment(describeOperation(operation, api, options))}
export function ${identifier(operation.name)}(
  client: ${importType("Client", clientRuntime)},
  request: {
    /** The URL, from an earlier response. */
    readonly to: string;
    readonly body: ${importType("UploadBody", clientRuntime)};
  },
  options?: ${importType("UploadOptions", clientRuntime)},
): ${importType("ApiPromise", clientRuntime)}<${resultType(operation, printer, "./types.js")}, ${error}> {
  return ${importValue("upload", clientRuntime)}(client, { ${joinCode(data, code`, `)} }, request, options);
}`;
  });
  const own = found.map((operation) => operation.name);
  return [{ path: "src/gen/uploads.ts", text: printSourceFile(statements, generatedBanner, own) }];
}

/** The operations without a path whose body is bytes, and which need neither credentials nor parameters. */
export const uploadOperations: (api: Api) => readonly Operation[] = memoize((api) =>
  api.operationsWithoutPath.filter((operation) => {
    const isOpen = operation.security.every((alternative) => alternative.length === 0);
    return isOpen && operation.parameters.length === 0 && mediaTypeOf(operation) !== undefined;
  }),
);

function mediaTypeOf({ requestBody }: Operation): string | undefined {
  const content = requestBody && preferredContent(requestBody.contents);
  return content !== undefined && mediaKind(content.mediaType) === "binary" ? content.mediaType : undefined;
}
