import { code, joinCode, jsonLiteral, type Code } from "@plumbline/kit/codegen";
import type { OperationResponse } from "@plumbline/kit/model";
import { serverType } from "../runtime.js";

type ResponseStatus = OperationResponse["status"];

/** Returns the type of some status codes, out of all documented ones, or `undefined` if none remain. */
export function emitStatusType(statuses: readonly ResponseStatus[], all: readonly ResponseStatus[]): Code | undefined {
  const others = all.filter((status) => !statuses.includes(status));
  const types = statuses
    .filter((status) => !statuses.some((wider) => wider !== status && covers(wider, status, all)))
    .map((status) => typeOf(status, others, all))
    .filter((type) => type !== undefined);
  return types.length === 0 ? undefined : joinCode(types, code` | `);
}

function typeOf(
  status: ResponseStatus,
  others: readonly ResponseStatus[],
  all: readonly ResponseStatus[],
): Code | undefined {
  if (typeof status === "number") return jsonLiteral(status);
  const covered = others.filter((each) => covers(status, each, all));
  const excluded = joinCode(
    covered.map((each) =>
      typeof each === "number" ? jsonLiteral(each) : code`${serverType("StatusOf")}<${jsonLiteral(each)}>`,
    ),
    code` | `,
  );
  if (status !== "default") {
    const range = code`${serverType("StatusOf")}<${jsonLiteral(status)}>`;
    return covered.length === 0 ? range : code`Exclude<${range}, ${excluded}>`;
  }
  if (!namesSuccess(all))
    return code`${serverType("UndocumentedStatus")}<${covered.length === 0 ? code`never` : excluded}>`;
  if (covered.includes("4XX") && covered.includes("5XX")) return undefined;
  return covered.length === 0 ? serverType("ErrorStatus") : code`${serverType("UndocumentedErrorStatus")}<${excluded}>`;
}

/** True if a range or `default` includes a status that is documented separately. */
function covers(wider: ResponseStatus, status: ResponseStatus, all: readonly ResponseStatus[]): boolean {
  if (typeof wider === "number" || status === "default") return false;
  if (typeof status === "number" && !isRegistered(status)) return false;
  if (wider === "default") return !namesSuccess(all) || /^[45]/.test(String(status));
  return typeof status === "number" && String(status).startsWith(wider.charAt(0));
}

/** True if a status below 400 is documented. Then `default` stands for errors. */
function namesSuccess(all: readonly ResponseStatus[]): boolean {
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
