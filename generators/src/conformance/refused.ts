import type { Case, Expect, Template } from "@plumbline/conformance-runtime";
import type { Failure, Operation, Reply } from "../model/api.js";
import { requirementsOf, type Context } from "./context.js";

/** What is expected where a request is refused, and the requirements that say so. */
export interface Refused {
  readonly expect: Expect;
  readonly requirements: readonly string[];
}

export interface Refusing {
  /** The failure's id; without one, or where there is none of it, the first that all operations share of the usual statuses. */
  readonly id?: string | undefined;
  /** What HTTP uses for it, for descriptions that name no failure. */
  readonly usual: readonly [number, ...number[]];
  /** The field that is to blame; absent: what the failure says. */
  readonly field?: Template;
}

/** How an operation refuses. */
export function refusedWith(context: Context, operation: Operation, { id, usual, field }: Refusing): Refused {
  const failure = failureOf(context, operation, id) ?? sharedFailure(context, usual);
  if (failure === undefined) return { expect: { status: usual.length === 1 ? usual[0] : usual }, requirements: [] };
  const about = field ?? aboutOf(failure);
  const { mentions } = failure;
  const error = { ...(about === undefined ? {} : { field: about }), ...(mentions.length === 0 ? {} : { mentions }) };
  return {
    expect: { status: failure.status, ...(Object.keys(error).length === 0 ? {} : { error }) },
    requirements: requirementsOf(failure.sources),
  };
}

export function failureOf({ api }: Context, { failures }: Operation, id: string | undefined): Failure | undefined {
  if (id === undefined) return undefined;
  return [...failures, ...api.failures].find((each) => each.id === id);
}

/** The field that a failure names; null where it names none, undefined where that depends on the request. */
function aboutOf({ field }: Failure): string | null | undefined {
  return field?.includes("$") === true ? undefined : field;
}

/** The first failure of a status that all operations share is what answers with that status where nothing else is said. */
export function sharedFailure({ api }: Context, statuses: readonly number[]): Failure | undefined {
  return api.failures.find(({ status }) => statuses.includes(status));
}

/** False where a description leaves open what comes of deleting what is not there: once and twice may be the same. */
export function tellsAbsence({ api }: Context, { replies }: Operation): boolean {
  return api.failures.length > 0 || replies.some(({ status }) => status === 404 || status === 410);
}

/** Without the cases that expect what the description does not have: of descriptions that say nothing of refusals. */
export function describedOnly({ operations }: Context, cases: readonly Case[]): readonly Case[] {
  return cases.filter(({ steps }) =>
    steps.every((step) => {
      if (!("call" in step) || step.method !== undefined || step.address !== undefined) return true;
      const due = [step.expect?.status ?? []].flat();
      const described = operations.get(step.call)?.replies ?? [];
      return (
        due.length === 0 || described.length === 0 || due.some((each) => described.some((reply) => isOf(reply, each)))
      );
    }),
  );
}

function isOf({ status }: Reply, due: number): boolean {
  return status === due || status === "default" || status === `${Math.floor(due / 100)}XX`;
}
