import { code, imported, join, key, literal, textOf, type Code } from "../emit/printer.js";
import type { Content, Operation, Reply } from "../model/api.js";
import { chosenContent, mediaKind } from "../model/media.js";
import type { TypePrinter } from "../types/print.js";
import { runtime } from "./runtime.js";

/** Returns the documented 2XX responses, or the `default` response if there are none. */
export function successReplies(operation: Operation): readonly Reply[] {
  const stated = operation.replies.filter(({ status }) =>
    typeof status === "number" ? status >= 200 && status < 300 : status === "2XX",
  );
  return stated.length > 0 ? stated : operation.replies.filter(({ status }) => status === "default");
}

/** Returns the type of the result of a call. Named types are imported from `types`. */
export function resultType(operation: Operation, printer: TypePrinter, types = "../types.js"): Code {
  const replies = successReplies(operation);
  const members = replies.map((reply) => {
    const content = chosenContent(reply.contents);
    if (content === undefined) return code`undefined`;
    const kind = mediaKind(content.mediaType);
    return kind === "json"
      ? printer.type(content.shape, types)
      : kind === "text"
        ? code`string`
        : code`globalThis.Blob`;
  });
  const distinct = [...new Map(members.map((member) => [textOf(member), member] as const)).values()];
  return distinct.length === 0 ? code`undefined` : join(distinct, code` | `);
}

/** Emits the `reply` member of the operation data: how the runtime decodes responses. */
export function replyDecoder(operation: Operation): readonly Code[] {
  const replies = successReplies(operation).flatMap(({ status, contents }) => {
    const content = chosenContent(contents);
    return content === undefined ? [] : [{ status, decoder: decoderOf(content) }];
  });
  const [first] = replies;
  if (replies.every(({ decoder }) => decoder === first?.decoder))
    return first?.decoder === undefined ? [] : [code`reply: ${imported(first.decoder, runtime)}`];
  const named = replies.map(({ status, decoder }) => {
    return code`${key(String(status))}: ${decoder === undefined ? literal("json") : imported(decoder, runtime)}`;
  });
  return [code`reply: ${imported("byStatus", runtime)}({ ${join(named, code`, `)} })`];
}

/** Returns the runtime's decoder for a media type, or `undefined` for JSON, which is the default. */
function decoderOf({ mediaType }: Content): string | undefined {
  const kind = mediaKind(mediaType);
  return kind === "json" ? undefined : kind === "text" ? "asText" : "asBlob";
}
