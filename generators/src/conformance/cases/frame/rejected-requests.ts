import type { CallStep, Case, CaseKind, Rejection, Step, Template } from "@plumbline/conformance-runtime";
import type { Operation } from "@plumbline/kit/model";
import { createCase, type ConformanceContext } from "../../context/context.js";
import { bodyCaseContext } from "../../requests/body-request.js";
import { fixtureNamed } from "../../requests/fixtures.js";
import { valueAt, withValue } from "../../values/body-mutations.js";
import { isPlainObject, isTemplateList } from "../../values/partial-evaluation.js";
import { isFresh } from "./creations.js";
import { hasStatedResources } from "./frame-claims.js";
import { frameReads } from "./frame-reads.js";
import { fullBody } from "./frame-values.js";

/** One case for all operations that change something: of each kind of rejection that an operation has, one request changes nothing. */
export function rejectedRequestCases(context: ConformanceContext, cases: readonly Case[]): readonly Case[] {
  if (frameReads(context).length === 0 || !hasStatedResources(context)) return [];
  const chosen = new Map<string, RejectedRequest>();
  for (const each of cases) {
    const rejected = rejectedRequest(context, each);
    const known = rejected && chosen.get(rejected.kind);
    if (rejected !== undefined && (known === undefined || isPreferred(rejected, known)))
      chosen.set(rejected.kind, rejected);
  }
  const all = [...chosen.values()].toSorted((a, b) => orderOf(context, a) - orderOf(context, b));
  const operation = context.operations.get(all[0]?.each.operation ?? "");
  if (operation === undefined) return [];
  return [
    createCase(context, {
      operation,
      kind: "frame",
      idParts: ["frame", "rejected"],
      title: "Requests of all operations that are rejected change nothing",
      requirements: [],
      exclusive: all.some(({ each }) => each.exclusive === true),
      // Last those that use up a limit.
      steps: [
        {
          rejections: [
            ...all.map((each) => rejectionOf(context, each)),
            ...all.flatMap((each) => excess(context, each)),
          ],
        },
      ],
    }),
  ];
}

/** A case with a rejected request. */
interface RejectedRequest {
  readonly each: Case;
  /** The index of the request in the steps. */
  readonly step: number;
  readonly call: CallStep;
  /** The operation, and why it rejects the request. */
  readonly kind: string;
}

/** One with objects that cases share, and of these the last: most of what is valid stands before what is invalid. */
function isPreferred(candidate: RejectedRequest, known: RejectedRequest): boolean {
  const [own, other] = [candidate, known].map(({ each, step }) => each.steps.slice(0, step).filter(isFresh).length);
  return own !== undefined && other !== undefined && (own < other || (own === other && isValidation(candidate.each)));
}

/** What waits for jobs is prepared before what they would change. */
function orderOf(context: ConformanceContext, { each: { exclusive, steps }, step }: RejectedRequest): number {
  if (exclusive !== true) return 0;
  return hasStep(context, steps.slice(0, step), (one) => "settle" in one) ? 1 : 2;
}

function rejectionOf(context: ConformanceContext, { each, step }: RejectedRequest): Rejection {
  const operation = context.operations.get(each.operation);
  const beside = isValidation(each) && operation !== undefined ? validFields(context, operation) : undefined;
  return { of: each.id, step, ...(beside === undefined ? {} : { beside }) };
}

/** Where the operation has a limit, one invalid request more than it allows. */
function excess({ operations }: ConformanceContext, { each, step }: RejectedRequest): readonly Rejection[] {
  const limits = isValidation(each) ? (operations.get(each.operation)?.limits ?? []) : [];
  const most = Math.max(...limits.map(({ kind, max = 0 }) => (kind === "rate" ? max : 0)));
  return most > 0 && most <= maxExcess ? [{ of: each.id, step, times: most + 1 }] : [];
}

/** Requests of one limit, in a case that has few for each operation. */
const maxExcess = 20;

/** All fields of a body, with names of their own for what the request would create. */
function validFields(context: ConformanceContext, operation: Operation): Template | undefined {
  const body = fullBody(context, operation);
  const fields = bodyCaseContext(context, operation)?.fields ?? [];
  const created = fields.filter(({ layers }) => layers.some(({ reference }) => reference?.onNotFound === "create"));
  return created.reduce<Template | undefined>((before, { pointer: [name = "", item] }) => {
    const isList =
      item === "*" && isPlainObject(before ?? null) && isTemplateList(valueAt(before ?? null, [name]) ?? null);
    return isList && before !== undefined ? withValue(before, [name], [{ $unique: "label" }]) : before;
  }, body);
}

/** The first rejected request of the operation, unless time has to pass before it. */
function rejectedRequest(context: ConformanceContext, each: Case): RejectedRequest | undefined {
  const operation = context.operations.get(each.operation);
  const reason = reasons[each.kind];
  if (operation === undefined || operation.method === "GET" || operation.path === "" || reason === undefined)
    return undefined;
  const step = each.steps.findIndex((one) => "call" in one && one.call === operation.name && isRejected(one));
  const call = each.steps[step];
  if (call === undefined || !("call" in call) || hasStep(context, each.steps.slice(0, step), needsTime))
    return undefined;
  if (isValidation(each) && !isPlainObject(call.body ?? null)) return undefined;
  const [, , , detail] = each.id.split("/");
  return {
    each,
    step,
    call,
    kind: JSON.stringify([each.operation, reason, call.expect?.status, reason === "stated" ? detail : undefined]),
  };
}

function isValidation({ kind }: Case): boolean {
  return reasons[kind] === "validation";
}

function isRejected({ expect, setup, method, address, raw }: CallStep): boolean {
  const status = expect?.status;
  const isPlain = method === undefined && address === undefined && raw === undefined;
  return isPlain && setup !== true && typeof status === "number" && status >= 400 && status < 500;
}

/** Jobs that are held would not end for the other requests, and the repeated ones of a limit would change too much. */
function needsTime(step: Step): boolean {
  return "hold" in step || "advance" in step || "repeat" in step;
}

/** Whether there is such a step, or one in the fixtures of the steps. */
function hasStep(context: ConformanceContext, steps: readonly Step[], isMeant: (step: Step) => boolean): boolean {
  return withFixtureSteps(context, steps, new Set()).some(isMeant);
}

function withFixtureSteps(
  context: ConformanceContext,
  steps: readonly Step[],
  within: ReadonlySet<string>,
): readonly Step[] {
  return steps.flatMap((step): readonly Step[] => {
    const fixture = "make" in step && !within.has(step.make) ? fixtureNamed(context, step.make) : undefined;
    const inner = "make" in step && fixture !== undefined ? new Set([...within, step.make]) : within;
    return [step, ...(fixture === undefined ? [] : withFixtureSteps(context, fixture.steps, inner))];
  });
}

/** Why requests are rejected, by the kind of their case. Absent: what an API rejects before it knows the operation. */
const reasons: Readonly<Partial<Record<CaseKind, string>>> = {
  types: "validation",
  bounds: "validation",
  enums: "validation",
  formats: "validation",
  conditions: "conditions",
  references: "references",
  scopes: "scopes",
  grants: "grants",
  resources: "objects of others",
  states: "states",
  limits: "stated",
  errors: "stated",
};
