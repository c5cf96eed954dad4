import type { Check, Faults } from "./faults.js";
import type { Accepted } from "./guard.js";
import { Findings } from "./judge.js";
import { readJson, readUtf8 } from "./json-text.js";
import { contentFor, parseMediaType } from "./media-type.js";
import type { PublicFault } from "./public-fault.js";
import type { Refusal } from "./refusal.js";

/**
 * Checks by operation, status (`200`, `4XX`, `default`) and media type. A status without media types has no body. For bodies that are not JSON,
 * only the media type is validated.
 */
export type Replies = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Check>>>>>>;

/** A response of a handler that the description does not allow. */
export interface ReplyReport {
  readonly operation: string;
  readonly status: number;
  readonly faults: readonly PublicFault[];
}

export interface ReplyOptions {
  /**
   * Whether to validate responses: `"report"` reports invalid ones, `"enforce"` also replaces them with a 500.
   *
   * @defaultValue "off"
   */
  readonly responses?: "off" | "report" | "enforce";
  /**
   * Receives each invalid response.
   *
   * @defaultValue writes to the console's error stream
   */
  readonly onReport?: (report: ReplyReport) => void;
  /** Loads the checks. Generated packages provide this option. */
  readonly replies?: () => Promise<Replies>;
}

export interface Reply {
  readonly status: number;
  readonly type: string | undefined;
  readonly bytes: Uint8Array;
}

export interface ReplyGuard {
  /** Reports an invalid response. Returns its replacement if `responses` is `"enforce"`. */
  judge(accepted: Accepted, reply: Reply): Promise<Refusal | undefined>;
}

/** Creates the response validator. Undefined if responses are not validated. */
export function buildReplyGuard({ responses = "off", onReport = warn, replies }: ReplyOptions): ReplyGuard | undefined {
  if (responses === "off") return undefined;
  if (replies === undefined)
    throw new TypeError("Missing option `replies`. Provide the function that loads the checks.");
  let loaded: Promise<Replies> | undefined;
  return {
    judge: async ({ operation: { definition } }, reply) => {
      const table = await (loaded ??= replies());
      const faults = faultsOf(reply, table[definition.name] ?? {});
      if (faults.length > 0) onReport({ operation: definition.name, status: reply.status, faults });
      return faults.length > 0 && responses === "enforce" ? brokenReply(definition.name, faults) : undefined;
    },
  };
}

/** The response to the client in place of an invalid one. */
function brokenReply(operation: string, faults: readonly PublicFault[]): Refusal {
  return {
    kind: "refusal",
    status: 500,
    headers: { "content-type": "application/json" },
    body: { errors: [{ reason: "The response does not match the description of the API" }] },
    faults,
    operation,
  };
}

function warn({ operation, status, faults }: ReplyReport): void {
  const told = faults.map(({ field, reason }) => (field === undefined ? reason : `${field} ${reason}`));
  console.error(`Response ${status} of ${operation} does not match the description: ${told.join("; ")}`);
}

export function faultsOf({ status, type, bytes }: Reply, statuses: Replies[string]): readonly PublicFault[] {
  const findings = new Findings();
  const faults: Faults = [];
  const contents = statuses[status] ?? statuses[`${Math.floor(status / 100)}XX`] ?? statuses["default"];
  if (contents === undefined) faults.push({ path: [], code: "status", first: status });
  else if (bytes.length > 0) {
    const parsed = parseMediaType(type ?? "");
    const check = parsed === undefined ? undefined : contentFor(contents, parsed);
    if (parsed === undefined || check === undefined) {
      faults.push({ path: [], code: "media", first: Object.keys(contents) });
    } else if (/[/+]json$/.test(parsed.essence)) checkBytes(bytes, check, faults);
  } else if (Object.keys(contents).length > 0) faults.push({ path: [], code: "required" });
  findings.take(faults, "reply");
  return findings.all;
}

/** Validates a JSON body. */
function checkBytes(bytes: Uint8Array, check: Check, faults: Faults): void {
  const text = readUtf8(bytes, faults);
  const value = text === undefined ? undefined : readJson(text, faults);
  if (faults.length === 0) check(value, faults);
}
