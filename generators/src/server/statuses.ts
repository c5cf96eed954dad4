import { code, join, literal, type Code } from "../emit/printer.js";
import type { Reply } from "../model/api.js";
import { $serverType } from "./runtime.js";

type Status = Reply["status"];

/** Returns the type of some status codes, out of all documented ones, or `undefined` if none remain. */
export function statusType(statuses: readonly Status[], all: readonly Status[]): Code | undefined {
  const others = all.filter((status) => !statuses.includes(status));
  const types = statuses
    .filter((status) => !statuses.some((wider) => wider !== status && covers(wider, status, all)))
    .map((status) => typeOf(status, others, all))
    .filter((type) => type !== undefined);
  return types.length === 0 ? undefined : join(types, code` | `);
}

function typeOf(status: Status, others: readonly Status[], all: readonly Status[]): Code | undefined {
  if (typeof status === "number") return literal(status);
  const named = others.filter((each) => covers(status, each, all));
  const excluded = join(
    named.map((each) =>
      typeof each === "number" ? literal(each) : code`${$serverType("StatusOf")}<${literal(each)}>`,
    ),
    code` | `,
  );
  if (status !== "default") {
    const range = code`${$serverType("StatusOf")}<${literal(status)}>`;
    return named.length === 0 ? range : code`Exclude<${range}, ${excluded}>`;
  }
  if (!namesSuccess(all)) return code`${$serverType("OtherStatus")}<${named.length === 0 ? code`never` : excluded}>`;
  if (named.includes("4XX") && named.includes("5XX")) return undefined;
  return named.length === 0 ? $serverType("FailureStatus") : code`${$serverType("OtherFailure")}<${excluded}>`;
}

/** True if a range or `default` includes a status that is documented separately. */
function covers(wider: Status, status: Status, all: readonly Status[]): boolean {
  if (typeof wider === "number" || status === "default") return false;
  if (typeof status === "number" && !isRegistered(status)) return false;
  if (wider === "default") return !namesSuccess(all) || /^[45]/.test(String(status));
  return typeof status === "number" && String(status).startsWith(wider.charAt(0));
}

/** True if a status below 400 is documented. Then `default` stands for errors. */
function namesSuccess(all: readonly Status[]): boolean {
  return all.some((status) => /^[23]/.test(String(status)));
}

/** True for the status codes in the runtime's types. */
function isRegistered(status: number): boolean {
  return registered.some(([from, to]) => status >= from && status <= to);
}

const registered = [
  [100, 103],
  [200, 208],
  [226, 226],
  [300, 305],
  [307, 308],
  [400, 418],
  [421, 426],
  [428, 429],
  [431, 431],
  [451, 451],
  [500, 508],
  [510, 511],
] as const;
