import { code, join, key, literal, name, textOf, type Code } from "../emit/printer.js";
import type { Content, Operation, Reply } from "../model/api.js";
import { jsonContent, mediaKind, type MediaKind } from "../model/media.js";
import { pascalCase } from "../model/names.js";
import type { TypePrinter } from "../types/print.js";
import { handlerHeaders } from "./headers.js";
import { statusType } from "./statuses.js";

/** Returns the name of an operation's response type, such as `CreateInstanceReply`. */
export function replyName(operation: Operation): string {
  return `${pascalCase(operation.name) ?? operation.name}Reply`;
}

/** Emits the response type of a handler: a union by status, with equal members merged. */
export function emitReply(operation: Operation, printer: TypePrinter, effects: readonly string[] = []): Code {
  const had = effectsMember(effects);
  const alike = new Map<string, { readonly rest: Code; readonly statuses: Reply["status"][] }>();
  for (const reply of operation.replies) {
    for (const content of contentsOf(reply, printer)) {
      const rest = isSuccess(reply) ? code`${content}${had}` : content;
      const known = alike.get(textOf(rest));
      if (known === undefined) alike.set(textOf(rest), { rest, statuses: [reply.status] });
      else known.statuses.push(reply.status);
    }
  }
  const all = operation.replies.map((reply) => reply.status);
  const members = [...alike.values()].flatMap(({ rest, statuses }) => {
    const status = statusType(statuses, all);
    return status === undefined ? [] : [code`{ readonly status: ${status}${rest} }`];
  });
  const union = members.length === 0 ? code`never` : join(members, code` | `);
  return code`/** The responses that the handler of \`${name(operation.name)}\` can return. */
export type ${name(replyName(operation))} = ${union};`;
}

function isSuccess({ status }: Reply): boolean {
  return String(status).startsWith("2");
}

/** Emits the member for the effects that limits count. */
function effectsMember(effects: readonly string[]): Code {
  const names = join(
    effects.map((each) => literal(each)),
    code` | `,
  );
  return effects.length === 0 ? code`` : code`; readonly effects: readonly (${names})[]`;
}

/** Emits the members beside the status, for each media type. */
function contentsOf(reply: Reply, printer: TypePrinter): readonly Code[] {
  const headers = headersMember(reply, printer);
  if (reply.contents.length === 0) return [headers];
  const isOne = reply.contents.length === 1;
  const usual = jsonContent(reply.contents) ?? (isOne ? reply.contents[0] : undefined);
  return reply.contents.map((content) => {
    const isSaid = !isOne || isRange(content);
    const type = isSaid ? typeMember(content, content === usual) : code``;
    return code`${headers}${type}; readonly body: ${bodyType(content, printer)}`;
  });
}

function typeMember(content: Content, isUsual: boolean): Code {
  const type = isRange(content) ? code`string` : literal(content.mediaType);
  const isOptional = isUsual && (!isRange(content) || mediaKind(content.mediaType) === "json");
  return isOptional ? code`; readonly type?: ${type}` : code`; readonly type: ${type}`;
}

function isRange({ mediaType }: Content): boolean {
  return mediaType.endsWith("/*");
}

function bodyType({ mediaType, shape }: Content, printer: TypePrinter): Code {
  const kind = mediaKind(mediaType);
  return kind === "json" ? printer.type(shape, "./types.js") : rawTypes[kind];
}

const bytes = code`Uint8Array | ReadableStream<Uint8Array>`;

const rawTypes: Readonly<Record<Exclude<MediaKind, "json">, Code>> = {
  text: code`string`,
  form: code`string`,
  multipart: bytes,
  binary: bytes,
};

function headersMember(reply: Reply, printer: TypePrinter): Code {
  const headers = handlerHeaders(reply);
  if (headers.length === 0) return code``;
  const members = headers.map((header) => {
    const type = printer.type(header.shape, "./types.js");
    return code`readonly ${key(header.name)}${header.required ? code`: ${type}` : code`?: ${type}`}`;
  });
  const fields = code`{ ${join(members, code`; `)} }`;
  return headers.some((header) => header.required)
    ? code`; readonly headers: ${fields}`
    : code`; readonly headers?: ${fields}`;
}
