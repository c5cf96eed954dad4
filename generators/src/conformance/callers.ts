import type { Caller, NewUser, Step, Template } from "@plumbline/conformance-runtime";
import type { Operation, Resource } from "../model/api.js";
import { fieldsOf, partsOf } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import type { Context } from "./context.js";
import { madeBy } from "./facts.js";
import { planOf, type Plan, type PlanOptions } from "./plans.js";

/** The plan's call by a caller with these scopes. Undefined when the caller in the settings cannot have scopes. */
export function withScopes(plan: Plan, scopes: string): Plan | undefined {
  const { by } = plan.call;
  if (by === undefined || by === "main") return { ...plan, call: { ...plan.call, by: { scopes } } };
  if (typeof by === "string") return undefined;
  if ("grants" in by) return { ...plan, call: { ...plan.call, by: { ...by, scopes } } };
  return "user" in by ? asUser(plan, by.user, { scopes }) : undefined;
}

/** The plan's call by a restricted user. */
export function withGrants(plan: Plan, grants: Template): Plan | undefined {
  const { by } = plan.call;
  if (by === undefined || by === "main") return { ...plan, call: { ...plan.call, by: { grants } } };
  if (typeof by === "string" || !("user" in by)) return undefined;
  return asUser(plan, by.user, { restricted: true, grants });
}

function asUser(plan: Plan, name: string, changed: Partial<NewUser>): Plan | undefined {
  const isActor = (step: Step) => "actor" in step && step.as === name;
  if (!plan.before.some(isActor)) return undefined;
  const before = plan.before.map((step) =>
    "actor" in step && isActor(step) ? { ...step, actor: { ...step.actor, ...changed } } : step,
  );
  return { ...plan, before };
}

/**
 * A call that the server rejects before it reads the body. The plan creates only the objects of the path, and leaves out a body that needs more.
 */
export function refusedPlan(
  context: Context,
  operation: Operation,
  options: PlanOptions = { objects: "shared" },
): Plan {
  const plan = planOf(context, operation, options);
  const names = new Set(Object.values(plan.names));
  const before = plan.before.filter((step) => "make" in step && names.has(step.as));
  const { body, by: _by, ...call } = plan.call;
  const isWhole = body !== undefined && [...rootsOf(body)].every((root) => names.has(root));
  return { ...plan, before, call: { ...call, ...(isWhole ? { body } : {}) }, needs: [], alone: false };
}

/** A call that succeeds. A creation uses shared parents unless it changes them; any other change uses an object of the case's own. */
export function acceptedPlan(context: Context, operation: Operation): Plan {
  const { api } = context;
  const { name, method, effects } = operation;
  const reads = method === "GET" || method === "HEAD";
  const moves = api.machines.some(({ transitions }) =>
    transitions.some(({ by }) => by.kind === "operation" && by.operation === name),
  );
  const takesAway = effects.some(({ does }) => does === "delete" || does === "replace" || does === "remove");
  const makes = madeBy(api, operation) !== undefined && !moves && !takesAway;
  return planOf(context, operation, { objects: reads || makes ? "shared" : "own" });
}

/** The names of steps that a template reads. */
export function rootsOf(template: Template): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: Template): void => {
    if (value === null || typeof value !== "object") return;
    if (isList(value)) return value.forEach(visit);
    const get = value["$get"];
    if (typeof get === "string") found.add(get.split("#")[0] ?? "");
    for (const [key, each] of Object.entries(value)) if (key !== "$literal") visit(each);
  };
  visit(template);
  return found;
}

/** How the API itself creates tokens. */
export interface TokenSource {
  readonly resource: Resource;
  readonly maker: Operation;
  /** The field of its representation that has the token. */
  readonly secret: string;
  /** The field of the request that sets its scopes. */
  readonly scopes: string;
}

/** The credential that callers can create through the API, if the description has one. */
export function tokenSource(context: Context): TokenSource | undefined {
  const { api } = context;
  for (const { to } of api.scopes?.credentials ?? []) {
    const resource = context.resources.get(to);
    const maker = api.operations.find((each) => madeBy(api, each)?.resource.name === to);
    const shape = context.shapes.get(to);
    const content = maker?.body && jsonContent(maker.body.contents);
    if (resource === undefined || maker === undefined || shape === undefined || content === undefined) continue;
    const secret = partsOf(api, shape)
      .flatMap(({ properties = [] }) => properties)
      .find((each) => each.shape.visible?.secret === true)?.name;
    const scopes = fieldsOf(api, content.shape).find((each) => each.shape.scopeCeiling !== undefined)?.pointer[0];
    if (secret !== undefined && scopes !== undefined) return { resource, maker, secret, scopes };
  }
  return undefined;
}

/** A caller with a complete Authorization header. */
export function presenting(...parts: readonly Template[]): Caller {
  return { authorization: { $text: parts } };
}

function isList(value: Template): value is readonly Template[] {
  return Array.isArray(value);
}
