import {
  type TextFile,
  code,
  docComment,
  importValue,
  joinCode,
  jsonLiteral,
  identifier,
  printSourceFile,
  importType,
  type ArtifactOptions,
  TypePrinter,
} from "@plumbline/kit/codegen";
import { type Api, type Operation, preferredContent, mediaKind, memoize } from "@plumbline/kit/model";
import { describeOperation } from "./documentation.js";
import { errorTypeName } from "./names.js";
import { emitAccept, emitResponseDecoder, resultType } from "./responses.js";
import { clientRuntime } from "./runtime.js";

/** Emits `uploads.ts`: functions that send data to addresses from responses. */
export function emitUploads(api: Api, options: ArtifactOptions): readonly TextFile[] {
  const uploads = uploadOperations(api);
  if (uploads.length === 0) return [];
  const printer = new TypePrinter(api);
  const statements = uploads.map((operation) => {
    const error = importType(errorTypeName(api, operation), "./errors.js");
    const data = [
      code`method: ${jsonLiteral(operation.method)}`,
      code`mediaType: ${jsonLiteral(mediaTypeOf(operation) ?? "")}`,
      ...emitAccept(operation),
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
): ${importType("ApiPromise", clientRuntime)}<${resultType(operation, printer, "./types.js", "unconvertedType")}, ${error}> {
  return ${importValue("upload", clientRuntime)}(client, { ${joinCode(data, code`, `)} }, request, options);
}`;
  });
  const operationNames = uploads.map((operation) => operation.name);
  return [{ path: "src/gen/uploads.ts", text: printSourceFile(statements, operationNames) }];
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
