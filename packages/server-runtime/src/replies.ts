import { isObject, type PublicFault, type Replies } from "@plumbline/validator-runtime";
import { faultsOf, publicFault } from "@plumbline/validator-runtime/serving";
import { BrokenReply } from "./broken-reply.js";
import { writeHeaders, type ReplyHeaders } from "./headers.js";
import { isJson, mediaTypeOf } from "./media-types.js";
import { isShownTo, type Shown, type Viewer, type VisibleTo } from "./shown.js";
import { describedStatus } from "./statuses.js";
import { writeJson } from "./write-json.js";

/** A response as a handler returns it. */
export interface HandlerReply {
  readonly status: number;
  /** The media type, with its parameters. Default: JSON, or the only documented type. */
  readonly type?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
  /** The effects of the request, among those that limits count. */
  readonly effects?: readonly string[];
}

/** What the description says about responses. */
export interface ReplyTables {
  readonly shown: Shown;
  readonly visibleTo: VisibleTo;
  readonly headers: ReplyHeaders;
}

/** A response without the headers that the server adds. */
export interface Written {
  readonly status: number;
  /** The documented headers by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The Content-Type. Absent without a body. */
  readonly type?: string;
  readonly body?: string | Uint8Array | ReadableStream<Uint8Array>;
}

/**
 * Serializes the response of a handler: only what the description documents, and what the caller may see.
 *
 * @throws BrokenReply for an undocumented status, media type or body, for a status that the caller may not see, and for values that JSON does not
 * have
 */
export function writeReply(reply: HandlerReply, viewer: Viewer, tables: ReplyTables): Written {
  const { operation } = viewer;
  if (!isObject(reply)) throw new BrokenReply(operation, undefined, [fault("type", "must have a status")]);
  const { status, body, type } = reply;
  const broken = (...faults: readonly PublicFault[]) => new BrokenReply(operation, status, faults);
  const statuses = tables.shown[operation] ?? {};
  const described = Number.isInteger(status) ? describedStatus(status, statuses) : undefined;
  if (described === undefined) throw broken(undescribed(status));
  const audience = tables.visibleTo[operation]?.[described];
  if (audience !== undefined && !isShownTo(viewer, audience))
    throw broken(fault("rule", "must not be sent to this caller"));
  const written = writeHeaders(reply.headers, tables.headers[operation]?.[described] ?? []);
  if (written.faults.length > 0) throw broken(...written.faults);
  const { headers } = written;
  const contents = statuses[described] ?? {};
  const types = Object.keys(contents);
  if (types.length === 0) {
    if (body !== undefined) throw broken(fault("media", "must have no body"));
    return { status, headers };
  }
  if (body === undefined) throw broken(fault("required", "is required"));
  const chosen = mediaTypeOf(type, types);
  if (typeof chosen === "string") throw broken(fault("media", chosen));
  if (!isJson(chosen.type)) {
    if (!isRaw(body)) throw broken(fault("type", "must be a string, a Uint8Array or a ReadableStream"));
    return { status, headers, type: typeof body === "string" ? inUtf8(chosen.type) : chosen.type, body };
  }
  const json = writeJson(contents[chosen.described], body, viewer);
  if (typeof json !== "string") throw broken(json);
  return { status, headers, type: chosen.type, body: json };
}

/** Validates a serialized response. Of a body that is not JSON, only the media type is validated. */
export function checkReply(operation: string, written: Written, table: Replies): readonly PublicFault[] {
  const { status, type, body } = written;
  const statuses = table[operation] ?? {};
  if (describedStatus(status, statuses) === undefined) return [undescribed(status)];
  return faultsOf({ status, type, bytes: bytesOf(type, body) }, statuses);
}

function bytesOf(type: string | undefined, body: Written["body"]): Uint8Array {
  if (body === undefined) return new Uint8Array();
  // A body that is not JSON is not read. One byte stands for it.
  return typeof body === "string" && isJson(type ?? "") ? new TextEncoder().encode(body) : new Uint8Array(1);
}

function undescribed(status: number): PublicFault {
  return publicFault({ path: [], code: "status", first: status }, "reply");
}

function fault(code: PublicFault["code"], reason: string): PublicFault {
  return { in: "reply", code, reason };
}

function isRaw(body: unknown): body is string | Uint8Array | ReadableStream<Uint8Array> {
  return typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream;
}

function inUtf8(type: string): string {
  return /^text\//i.test(type) && !/;\s*charset=/i.test(type) ? `${type}; charset=utf-8` : type;
}
