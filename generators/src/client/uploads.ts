import { banner } from "../emit/banner.js";
import type { TextFile } from "../emit/files.js";
import { code, comment, imported, join, literal, name, print, typeImported } from "../emit/printer.js";
import type { ArtifactOptions } from "../generator.js";
import type { Api, Operation } from "../model/api.js";
import { chosenContent, mediaKind } from "../model/media.js";
import { once } from "../model/once.js";
import { TypePrinter } from "../types/print.js";
import { documentation } from "./documentation.js";
import { failureName } from "./names.js";
import { replyDecoder, resultType } from "./replies.js";
import { runtime } from "./runtime.js";

/** Emits `uploads.ts`: functions that send data to addresses from responses. */
export function emitUploads(api: Api, options: ArtifactOptions): readonly TextFile[] {
  const found = uploads(api);
  if (found.length === 0) return [];
  const printer = new TypePrinter(api);
  const statements = found.map((operation) => {
    const failure = typeImported(failureName(operation), "./errors.js");
    const data = [
      code`method: ${literal(operation.method)}`,
      code`mediaType: ${literal(mediaTypeOf(operation) ?? "")}`,
      ...replyDecoder(operation),
    ];
    return code`${comment(documentation(operation, api, options))}
export function ${name(operation.name)}(
  client: ${typeImported("Client", runtime)},
  request: {
    /** The URL, from an earlier response. */
    readonly to: string;
    readonly body: ${typeImported("UploadBody", runtime)};
  },
  options?: ${typeImported("UploadOptions", runtime)},
): ${typeImported("Pending", runtime)}<${resultType(operation, printer, "./types.js")}, ${failure}> {
  return ${imported("upload", runtime)}(client, { ${join(data, code`, `)} }, request, options);
}`;
  });
  const own = found.map((operation) => operation.name);
  return [{ path: "src/gen/uploads.ts", text: print(statements, banner, own) }];
}

/** The operations without a path whose body is bytes, and which need neither credentials nor parameters. */
export const uploads: (api: Api) => readonly Operation[] = once((api) =>
  api.linked.filter((operation) => {
    const isOpen = operation.security.every((alternative) => alternative.length === 0);
    return isOpen && operation.parameters.length === 0 && mediaTypeOf(operation) !== undefined;
  }),
);

function mediaTypeOf({ body }: Operation): string | undefined {
  const content = body && chosenContent(body.contents);
  return content !== undefined && mediaKind(content.mediaType) === "binary" ? content.mediaType : undefined;
}
