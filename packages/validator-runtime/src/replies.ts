import type { Check, Faults } from "./faults.js";
import type { Accepted } from "./guard.js";
import { Findings } from "./judge.js";
import { readJson, readUtf8 } from "./json-text.js";
import { contentFor, parseMediaType } from "./media-type.js";
import type { PublicFault } from "./public-fault.js";
import type { Refusal } from "./refusal.js";

/** Checks by operation, status (`200`, `4XX`, `default`) and media type. A status without types has no body; of what is not JSON, the type
 * alone is judged. */
export type Replies = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Check>>>>>>;

/** A reply of the handler that breaks the description. */
export interface ReplyReport {
  readonly operation: string;
  readonly status: number;
  readonly faults: readonly PublicFault[];
}

export interface ReplyOptions {
  /** `report` tells of replies that break the description; `enforce` also replaces them with a 500. */
  readonly responses?: "off" | "report" | "enforce";
  /** Is told of each reply that breaks the description; the console's error stream unless said. */
  readonly onReport?: (report: ReplyReport) => void;
  /** The checks, which generated packages load when they are first asked for. */
  readonly replies?: () => Promise<Replies>;
}

export interface Reply {
  readonly status: number;
  readonly type: string | undefined;
  readonly bytes: Uint8Array;
}

export interface ReplyGuard {
  /** Reports a reply that breaks the description. Gives what is sent in its place, where the description is enforced. */
  judge(accepted: Accepted, reply: Reply): Promise<Refusal | undefined>;
}

/** Undefined when replies are nobody's concern. */
export function buildReplyGuard({ responses = "off", onReport = warn, replies }: ReplyOptions): ReplyGuard | undefined {
  if (responses === "off") return undefined;
  if (replies === undefined) throw new TypeError("responses: there are no checks of replies; give replies");
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

/** What a client gets in place of a reply that breaks the description. */
function brokenReply(operation: string, faults: readonly PublicFault[]): Refusal {
  return {
    kind: "refusal",
    status: 500,
    headers: { "content-type": "application/json" },
    body: { errors: [{ reason: "The reply breaks the description of the API" }] },
    faults,
    operation,
  };
}

function warn({ operation, status, faults }: ReplyReport): void {
  const told = faults.map(({ field, reason }) => (field === undefined ? reason : `${field} ${reason}`));
  console.error(`The reply ${status} of ${operation} breaks the description: ${told.join("; ")}`);
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

/** What is not JSON is known by its type alone. */
function checkBytes(bytes: Uint8Array, check: Check, faults: Faults): void {
  const text = readUtf8(bytes, faults);
  const value = text === undefined ? undefined : readJson(text, faults);
  if (faults.length === 0) check(value, faults);
}
