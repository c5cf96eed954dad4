import type { Case, Expect, Template } from "@plumbline/conformance-runtime";
import type { Failure, Operation, Reply } from "../model/api.js";
import { requirementsOf, type Context } from "./context.js";

/** The expected error of a rejected request, with its requirements. */
export interface Refused {
  readonly expect: Expect;
  readonly requirements: readonly string[];
}

export interface Refusing {
  /** The id of the error. Default: the first shared error with one of the usual statuses. */
  readonly id?: string | undefined;
  /** The HTTP statuses for descriptions without errors. */
  readonly usual: readonly [number, ...number[]];
  /** The invalid field. Default: the field of the error. */
  readonly field?: Template;
}

/** The expected error of an operation. */
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

/** The field of an error. Null: none. Undefined: it depends on the request. */
function aboutOf({ field }: Failure): string | null | undefined {
  return field?.includes("$") === true ? undefined : field;
}

/** The first shared error with a status is the default for this status. */
export function sharedFailure({ api }: Context, statuses: readonly number[]): Failure | undefined {
  return api.failures.find(({ status }) => statuses.includes(status));
}

/** False when the description has no error for a missing object: a second deletion may succeed. */
export function tellsAbsence({ api }: Context, { replies }: Operation): boolean {
  return api.failures.length > 0 || replies.some(({ status }) => status === 404 || status === 410);
}

/** Drops cases that expect undocumented statuses, for descriptions without errors. */
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
