import type { Caller, NewUser, Step, Template } from "@plumbline/conformance-runtime";
import { type Operation, type Resource, collectFields, schemaParts, findJsonContent } from "@plumbline/kit/model";
import type { ConformanceContext } from "../context/context.js";
import { callerWithGrants } from "../context/suite-callers.js";
import { referencedNames } from "../values/referenced-names.js";
import { createdResource } from "./created-resources.js";
import { planRequest, type RequestPlan, type RequestPlanOptions } from "./request-plan.js";

/** The scopes that a token of the profile has to have, or must not have, to stand in for one with exactly the wanted scopes. */
export interface ScopeFit {
  readonly holding?: readonly string[];
  readonly lacking?: readonly string[];
}

/** The plan's call by a caller with these scopes. Undefined when the caller in the settings cannot have scopes. */
export function callWithScopes(plan: RequestPlan, scopes: string, fitting: ScopeFit = {}): RequestPlan | undefined {
  const { by } = plan.call;
  if (by === undefined || by === "main") return { ...plan, call: { ...plan.call, by: { scopes, ...fitting } } };
  if (typeof by === "string") return undefined;
  if ("caller" in by) return { ...plan, call: { ...plan.call, by: { ...by, scopes } } };
  return "user" in by ? asUser(plan, by.user, { scopes }) : undefined;
}

/** A caller by its label, and its grants. Without `grants`, it has none of its own. */
export interface LabelledCaller {
  readonly caller: string;
  readonly grants?: Template | undefined;
  /** True if a caller without any grant can stand in. */
  readonly lacksAll?: boolean;
}

/** The plan's call by a caller with other attributes and grants. Undefined when the caller in the settings cannot have them. */
export function callAs(
  plan: RequestPlan,
  { caller, grants, lacksAll = false }: LabelledCaller,
): RequestPlan | undefined {
  const { by } = plan.call;
  const stated = { caller, ...(grants === undefined ? {} : { grants }) };
  if (by === undefined || by === "main")
    return { ...plan, call: { ...plan.call, by: { ...stated, ...(lacksAll ? { lacksAll: true as const } : {}) } } };
  if (typeof by === "string" || !("user" in by)) return undefined;
  return asUser(plan, by.user, stated);
}

/** The plan's call by a caller that needs grants, with these. Undefined when no caller needs any. */
export function callWithGrants(
  { api }: ConformanceContext,
  plan: RequestPlan,
  given: Omit<LabelledCaller, "caller">,
): RequestPlan | undefined {
  const caller = callerWithGrants(api, plan.operation);
  return caller === undefined ? undefined : callAs(plan, { caller, ...given });
}

function asUser(plan: RequestPlan, name: string, changed: Partial<NewUser>): RequestPlan | undefined {
  const isActor = (step: Step) => "actor" in step && step.as === name;
  if (!plan.setupSteps.some(isActor)) return undefined;
  const before = plan.setupSteps.map((step) =>
    "actor" in step && isActor(step) ? { ...step, actor: { ...step.actor, ...changed } } : step,
  );
  return { ...plan, setupSteps: before };
}

/**
 * A call that the server rejects before it reads the body. The plan creates only the objects of the path, and leaves out a body that needs more.
 * The setup steps of the settings remain if the path uses what they bind.
 */
export function rejectedPlan(
  context: ConformanceContext,
  operation: Operation,
  options: RequestPlanOptions = { objects: "shared" },
): RequestPlan {
  const plan = planRequest(context, operation, options);
  const stated = context.settings.operations[operation.name]?.before ?? [];
  const inPath = referencedNames(plan.call.path ?? {});
  const isUsed = stated.some((step) => "as" in step && step.as !== undefined && inPath.has(step.as));
  const names = new Set([...Object.values(plan.names), ...(isUsed ? inPath : [])]);
  const before = [
    ...plan.setupSteps
      .slice(0, plan.setupSteps.length - stated.length)
      .filter((step) => "make" in step && names.has(step.as)),
    ...(isUsed ? plan.setupSteps.slice(plan.setupSteps.length - stated.length) : []),
  ];
  const { body, by: _by, ...call } = plan.call;
  const isWhole = body !== undefined && [...referencedNames(body)].every((root) => names.has(root));
  return {
    ...plan,
    setupSteps: before,
    call: { ...call, ...(isWhole ? { body } : {}) },
    requires: [],
    exclusive: false,
  };
}

/** A call that succeeds. A creation uses shared parents unless it changes them; any other change uses an object of the case's own. */
export function acceptedPlan(context: ConformanceContext, operation: Operation): RequestPlan {
  const { api } = context;
  const { name, method, effects } = operation;
  const reads = method === "GET" || method === "HEAD";
  const moves = api.stateMachines.some(({ transitions }) =>
    transitions.some(({ event }) => event.kind === "operation" && event.operation === name),
  );
  const takesAway = effects.some(({ does }) => does === "delete" || does === "replace" || does === "remove");
  const makes = createdResource(api, operation) !== undefined && !moves && !takesAway;
  return planRequest(context, operation, { objects: reads || makes ? "shared" : "own" });
}

/** How the API itself creates tokens. */
export interface TokenSource {
  readonly resource: Resource;
  readonly creator: Operation;
  /** The field of its representation that has the token. */
  readonly secret: string;
  /** The field of the request that sets its scopes. */
  readonly scopes: string;
}

/** The credential that callers can create through the API, if the description has one. */
export function findTokenSource(context: ConformanceContext): TokenSource | undefined {
  const { api } = context;
  for (const { to } of api.scopeGrammar?.credentials ?? []) {
    const resource = context.resources.get(to);
    const maker = api.operations.find((each) => createdResource(api, each)?.resource.name === to);
    const schema = context.schemas.get(to);
    const content = maker?.requestBody && findJsonContent(maker.requestBody.contents);
    if (resource === undefined || maker === undefined || schema === undefined || content === undefined) continue;
    const secret = schemaParts(api, schema)
      .flatMap(({ properties = [] }) => properties)
      .find((each) => each.schema.visibility?.secret === true)?.name;
    const scopes = collectFields(api, content.schema).find((each) => each.schema.scopeCeiling !== undefined)
      ?.pointer[0];
    if (secret !== undefined && scopes !== undefined) return { resource, creator: maker, secret, scopes };
  }
  return undefined;
}

/** A caller with a complete Authorization header. */
export function withAuthorization(...parts: readonly Template[]): Caller {
  return { authorization: { $text: parts } };
}
