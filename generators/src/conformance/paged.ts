import type { Caller, Step, Template } from "@plumbline/conformance-runtime";
import type { Operation, Pagination, Parameter } from "../model/api.js";
import { partsOf } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import { requirementsOf, type Context } from "./context.js";
import { planOf, type Plan } from "./plans.js";

/** A paginated list. */
export interface PagedList {
  readonly context: Context;
  readonly operation: Operation;
  readonly pagination: Pagination;
  readonly page: Parameter;
  readonly size: Parameter;
  readonly plan: Plan;
}

export function pagedList(context: Context, operation: Operation, pagination: Pagination): PagedList | undefined {
  const named = (name: string): Parameter | undefined =>
    operation.parameters.find((each) => each.in === "query" && each.name === name);
  const [page, size] = [named(pagination.page), named(pagination.size)];
  if (page === undefined || size === undefined) return undefined;
  return { context, operation, pagination, page, size, plan: planOf(context, operation, { objects: "shared" }) };
}

export type ByCaller = { readonly by?: Caller };

/** The list of a new account, or of an object of the case's own, so that it has no other items. */
export function ownList({ context, operation }: PagedList): {
  readonly before: readonly Step[];
  readonly plan: Plan;
  readonly by: ByCaller;
} {
  const plan = planOf(context, operation, { objects: "own" });
  if (plan.before.length > 0) return { before: plan.before, plan, by: {} };
  return {
    before: [{ actor: { account: "other" }, as: "owner" }],
    plan,
    by: { by: { user: "owner" } },
  };
}

export function asking(
  plan: Plan,
  query: Readonly<Record<string, Template>>,
): { readonly query: Record<string, Template> } {
  return { query: { ...plan.call.query, ...query } };
}

export function isSafe(plan: Plan): boolean {
  return plan.before.length === 0 && plan.call.by === undefined;
}

export function boundsOf(
  { api }: Context,
  { shape }: Parameter,
): { readonly minimum?: number; readonly maximum?: number } {
  const parts = partsOf(api, shape);
  const minimum = parts.find((part) => part.minimum !== undefined)?.minimum;
  const maximum = parts.find((part) => part.maximum !== undefined)?.maximum;
  return { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) };
}

export function defaultOf({ api }: Context, { shape }: Parameter): number | undefined {
  const known = partsOf(api, shape).find((part) => part.default !== undefined)?.default;
  return typeof known === "number" ? known : undefined;
}

/** The requirements of these page fields and of the page. */
export function ofEnvelope({ context, operation }: PagedList, names: readonly string[]): readonly string[] {
  const reply = operation.replies.find(({ status }) => status === 200);
  const content = reply === undefined ? undefined : jsonContent(reply.contents);
  if (content === undefined) return requirementsOf(operation.sources);
  return partsOf(context.api, content.shape).flatMap(({ properties = [] }) =>
    properties.filter(({ name }) => names.includes(name)).flatMap(({ shape }) => requirementsOf(shape.sources)),
  );
}
