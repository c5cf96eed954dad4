import type { Caller, FrameStep, MakeStep, Step, Template } from "@plumbline/conformance-runtime";
import type { Effect, Operation } from "@plumbline/kit/model";
import type { ConformanceContext } from "../../context/context.js";
import { objectName } from "../../context/object-name.js";
import { acceptedPlan } from "../../requests/callers.js";
import { fixtureNamed } from "../../requests/fixtures.js";
import { setupStep, type RequestPlan } from "../../requests/request-plan.js";
import { isPlainObject } from "../../values/partial-evaluation.js";
import { withOtherNames } from "./creations.js";
import { claimsOf } from "./frame-claims.js";
import { frameReads } from "./frame-reads.js";

/** A user that the case creates. */
type OwnUser = Extract<Caller, { readonly user: string }>;

function ownUser({ call: { by }, setupSteps }: RequestPlan): OwnUser | undefined {
  const isOwn = typeof by === "object" && "user" in by && setupSteps.some((step) => "actor" in step);
  return isOwn ? by : undefined;
}

/** What a user of the case alone has, beside what the call is about. */
export function objectsOfCaller(context: ConformanceContext, plan: RequestPlan): readonly Step[] {
  const by = ownUser(plan);
  if (by === undefined) return [];
  const owned = frameReads(context).filter(
    ({ owner, list, path }) => owner === "user" && list && Object.keys(path).length === 0,
  );
  const names = owned.flatMap(({ resource = "" }) =>
    context.resources.get(resource)?.owner.includes("user") ? [resource] : [],
  );
  return names
    .filter((name) => fixtureNamed(context, name) !== undefined)
    .map((name): MakeStep => ({ make: name, as: `${objectName(name)}-of-caller`, by, fresh: true }));
}

/** The plan with a user who has what other operations set: a verified number, two-factor authentication. */
export function withSettingsOfCaller(context: ConformanceContext, plan: RequestPlan): RequestPlan {
  const by = ownUser(plan);
  if (by === undefined) return plan;
  const own = new Set(setFields(plan.operation));
  const others = context.api.operations.flatMap((operation) => {
    const fields = setFields(operation, isOn);
    const isOther = fields.length > 0 && !fields.some((field) => own.has(field)) && !calls(plan).has(operation.name);
    const other = isOther ? acceptedPlan(context, operation) : undefined;
    const isSame = other !== undefined && JSON.stringify(other.call.by) === JSON.stringify(by);
    return isSame && !calls(other).has(plan.operation.name) ? [other] : [];
  });
  const steps = others.flatMap((other) => settingSteps(other, by));
  const isActor = (step: Step): boolean => "actor" in step;
  const { setupSteps } = plan;
  return {
    ...plan,
    setupSteps: [...setupSteps.filter(isActor), ...steps, ...setupSteps.filter((step) => !isActor(step))],
  };
}

/** The steps of a plan for the same user, with names of their own. */
function settingSteps({ operation, setupSteps, call }: RequestPlan, { user }: OwnUser): readonly Step[] {
  const named = setupSteps.flatMap((step) =>
    "as" in step && step.as !== undefined && step.as !== user ? [step.as] : [],
  );
  const steps = [...setupSteps.filter((step) => !("actor" in step)), setupStep(call)];
  return withOtherNames(steps, new Map(named.map((name) => [name, `${name}-of-${operation.name}`] as const)));
}

/** The operations that a plan calls. */
function calls({ setupSteps, call }: RequestPlan): ReadonlySet<string> {
  return new Set([...setupSteps, call].flatMap((step) => ("call" in step ? [step.call] : [])));
}

/** The fields of the caller's own objects that an operation sets. */
function setFields({ effects }: Operation, isMeant: (effect: Effect) => boolean = () => true): readonly string[] {
  return effects
    .filter((effect) => effect.does === "set" && effect.object === undefined && isMeant(effect))
    .flatMap(({ to = "", values }) => Object.keys(values).map((name) => `${to} ${name}`));
}

/** True for an effect that gives values, and does not take them away. */
function isOn({ values }: Effect): boolean {
  return Object.values(values).every(
    (source) => source.kind !== "value" || (source.value !== null && source.value !== false),
  );
}

/** Another client of the caller with values of its own, where each client has its own. */
export function otherClient(
  context: ConformanceContext,
  plan: RequestPlan,
): { readonly steps: readonly Step[] } & Pick<FrameStep, "client"> {
  const isOfClient = claimsOf(context, plan).some(({ to }) => context.resources.get(to)?.owner.includes("client"));
  const { by, body = null } = plan.call;
  if (!isOfClient || !Object.hasOwn(context.settings.fixtures, "client") || !isPlainObject(body)) return { steps: [] };
  const client: Caller = { token: { $get: "other-client#/token" } };
  const other: Template = Object.fromEntries(Object.keys(body).map((name) => [name, "stored"] as const));
  return {
    steps: [
      { make: "client", as: "other-client", fresh: true, ...(by === undefined ? {} : { by }) },
      setupStep({ ...plan.call, by: client, body: other }),
    ],
    client,
  };
}
