import type { TextFile } from "../emit/files.js";
import { code, join, literal, name, print, typeImported, type Code } from "../emit/printer.js";
import type { Api, Operation, Reply } from "../model/api.js";
import { TypePrinter } from "../types/print.js";
import { banner } from "../emit/banner.js";
import { jsonContent } from "../model/media.js";
import { failureName } from "./names.js";
import { runtime } from "./runtime.js";
import { uploads } from "./uploads.js";

/** Emits `errors.ts`: the error type of each operation, by documented status. */
export function emitErrors(api: Api): readonly TextFile[] {
  const printer = new TypePrinter(api);
  const types = [...api.operations, ...uploads(api)].map((operation) => failureType(operation, printer));
  return [{ path: "src/gen/errors.ts", text: print(types, banner) + (types.length === 0 ? "export {};\n" : "") }];
}

function failureType(operation: Operation, printer: TypePrinter): Code {
  const failures = operation.replies.filter(isFailure);
  const documented = failures.map((reply) => reply.status);
  const members = failures.map((reply) => {
    return code`${typeImported("ApiError", runtime)}<${statusType(reply.status, documented)}, ${bodyType(reply, printer)}>`;
  });
  const union = members.length === 0 ? code`${typeImported("ApiError", runtime)}` : join(members, code` | `);
  return code`/** The errors of \`${name(operation.name)}\`, by status. */\nexport type ${name(failureName(operation))} = ${union};`;
}

/** A range excludes the statuses that are documented on their own, and `default` excludes the documented ranges as well. */
function statusType(status: Reply["status"], documented: readonly Reply["status"][]): Code {
  if (typeof status === "number") return literal(status);
  const ranges = documented.flatMap((each) =>
    typeof each === "string" && each !== "default" ? [rangeType(each)] : [],
  );
  const numbers = documented.filter((each) => typeof each === "number");
  if (status === "default") {
    const besides = [...numbers.map(literal), ...ranges];
    const other = typeImported("OtherStatus", runtime);
    return besides.length === 0 ? other : code`${other}<${join(besides, code` | `)}>`;
  }
  const within = numbers.filter((each) => String(each).startsWith(status.charAt(0))).map(literal);
  return within.length === 0 ? rangeType(status) : code`Exclude<${rangeType(status)}, ${join(within, code` | `)}>`;
}

function rangeType(range: string): Code {
  return code`${typeImported("StatusIn", runtime)}<${literal(range)}>`;
}

/** True for the statuses for which `response.ok` of `fetch` is false. These include 304. */
function isFailure(reply: Reply): boolean {
  if (reply.status === "default") return true;
  return typeof reply.status === "number" ? reply.status >= 300 : /^[345]/.test(reply.status);
}

function bodyType(reply: Reply, printer: TypePrinter): Code {
  const content = jsonContent(reply.contents);
  if (content !== undefined) return printer.type(content.shape, "./types.js");
  // Without a JSON media type, an error keeps the body as text.
  return reply.contents.length > 0 ? code`string` : code`unknown`;
}
