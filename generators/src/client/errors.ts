import type { TextFile } from "../emit/files.js";
import { code, join, literal, name, print, typeImported, type Code } from "../emit/printer.js";
import type { Api, Operation, Reply } from "../model/api.js";
import { TypePrinter } from "../types/print.js";
import { banner } from "./banner.js";
import { jsonContent } from "./media.js";
import { failureName } from "./names.js";
import { runtime } from "./runtime.js";

/** `errors.ts`: how each operation fails, by documented status. */
export function emitErrors(api: Api): readonly TextFile[] {
  const printer = new TypePrinter(api);
  const types = api.operations.map((operation) => failureType(operation, printer));
  return [{ path: "src/gen/errors.ts", text: print(types, banner) + (types.length === 0 ? "export {};\n" : "") }];
}

function failureType(operation: Operation, printer: TypePrinter): Code {
  const failures = operation.replies.filter(isFailure);
  const documented = failures.flatMap(({ status }) => (typeof status === "number" ? [literal(status)] : []));
  const other = typeImported("OtherStatus", runtime);
  const others = documented.length === 0 ? other : code`${other}<${join(documented, code` | `)}>`;
  const members = failures.map((reply) => {
    const status = typeof reply.status === "number" ? literal(reply.status) : others;
    return code`${typeImported("ApiError", runtime)}<${status}, ${bodyType(reply, printer)}>`;
  });
  const union = members.length === 0 ? code`${typeImported("ApiError", runtime)}` : join(members, code` | `);
  return code`/** How \`${name(operation.name)}\` fails, by status. */\nexport type ${name(failureName(operation))} = ${union};`;
}

function isFailure(reply: Reply): boolean {
  if (reply.status === "default") return true;
  return typeof reply.status === "number" ? reply.status >= 400 : /^[45]/.test(reply.status);
}

function bodyType(reply: Reply, printer: TypePrinter): Code {
  const content = jsonContent(reply.contents);
  if (content !== undefined) return printer.type(content.shape, "./types.js");
  // Nothing is said of the body, or it is no JSON: an error keeps what text there is.
  return reply.contents.length > 0 ? code`string` : code`unknown`;
}
