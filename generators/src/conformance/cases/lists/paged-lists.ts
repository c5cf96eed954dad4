import type { Caller, Case, Step, Template } from "@plumbline/conformance-runtime";
import {
  findJsonContent,
  type Operation,
  type NumberedPages,
  type Parameter,
  schemaParts,
  type SizeLimits,
  sizeLimits,
} from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { expectRejection } from "../../requests/expect-error.js";
import { expectStep, planRequest, type RequestPlan } from "../../requests/request-plan.js";

/** A paginated list. */
export interface PagedList {
  readonly context: ConformanceContext;
  readonly operation: Operation;
  readonly pagination: NumberedPages;
  readonly page: Parameter;
  readonly size: Parameter;
  readonly plan: RequestPlan;
}

export function pagedList(
  context: ConformanceContext,
  operation: Operation,
  pagination: NumberedPages,
): PagedList | undefined {
  const parameterNamed = (name: string): Parameter | undefined =>
    operation.parameters.find((each) => each.in === "query" && each.name === name);
  const [page, size] = [parameterNamed(pagination.page), parameterNamed(pagination.size)];
  if (page === undefined || size === undefined) return undefined;
  return { context, operation, pagination, page, size, plan: planRequest(context, operation, { objects: "shared" }) };
}

/** A list of which requests select a page. */
export type ListOfPages = Pick<PagedList, "context" | "operation" | "plan">;

export type CallerOption = { readonly by?: Caller };

/** The list of a new account, or of an object of the case's own, so that it has no other items. Where nothing creates accounts, it may have some. */
export function listOfNewAccount({ context, operation }: ListOfPages): {
  readonly before: readonly Step[];
  readonly plan: RequestPlan;
  readonly by: CallerOption;
} {
  const plan = planRequest(context, operation, { objects: "own" });
  if (plan.setupSteps.length > 0 || context.settings.actors.user === undefined)
    return { before: plan.setupSteps, plan, by: {} };
  return {
    before: [{ actor: { account: "other" }, as: "owner" }],
    plan,
    by: { by: { user: "owner" } },
  };
}

export function requestPage(
  plan: RequestPlan,
  query: Readonly<Record<string, Template>>,
): { readonly query: Record<string, Template> } {
  return { query: { ...plan.call.query, ...query } };
}

export function isReadOnly(plan: RequestPlan): boolean {
  return plan.setupSteps.length === 0 && plan.call.by === undefined;
}

export function pageSizeBounds({ api }: ConformanceContext, { schema }: Parameter): SizeLimits {
  const parts = schemaParts(api, schema);
  return sizeLimits("number", parts);
}

export function defaultPageSize({ api }: ConformanceContext, { schema }: Parameter): number | undefined {
  const size = schemaParts(api, schema).find((part) => part.default !== undefined)?.default;
  return typeof size === "number" ? size : undefined;
}

/** The requirements of these page fields and of the page. */
export function envelopeRequirements({ context, operation }: ListOfPages, names: readonly string[]): readonly string[] {
  const response = operation.responses.find(({ status }) => status === 200);
  const content = response === undefined ? undefined : findJsonContent(response.contents);
  if (content === undefined) return requirementIds(operation.sources);
  return schemaParts(context.api, content.schema).flatMap(({ properties = [] }) =>
    properties.filter(({ name }) => names.includes(name)).flatMap(({ schema }) => requirementIds(schema.sources)),
  );
}

/** Values that are no page number and no size of a page. */
export function rejectedNumberCases(list: ListOfPages, parameter: Parameter): readonly Case[] {
  const { least, most } = pageSizeBounds(list.context, parameter);
  const rejected: readonly (readonly [string, Template])[] = [
    ...(least === undefined ? [] : [["below-minimum", least - 1] as const]),
    ...(least === undefined || least <= 0 ? [] : [["negative", -1] as const]),
    ...(most === undefined ? [] : [["above-maximum", most + 1] as const]),
    ["text", "many"],
    ["fraction", `${least ?? 1}.5`],
    ["empty", ""],
  ];
  const all = new Map(rejected.map(([what, value]) => [JSON.stringify(value), [what, value] as const] as const));
  return [...all.values()].map(([what, value]) => rejectedPageCase(list, parameter, { what, value }));
}

function rejectedPageCase(
  list: ListOfPages,
  parameter: Parameter,
  { what, value }: { readonly what: string; readonly value: Template },
): Case {
  const { context, operation, plan } = list;
  const expect = expectRejection(context, operation, { defaultStatuses: [400, 422], field: parameter.name }).expect;
  return createCase(context, {
    operation,
    kind: "pagination",
    idParts: ["pages", parameter.name, what],
    title: `${parameter.name} rejects ${JSON.stringify(value)}`,
    requirements: requirementIds(parameter.sources),
    requires: plan.requires,
    exclusive: plan.exclusive,
    readOnly: isReadOnly(plan),
    steps: [...plan.setupSteps, expectStep(plan, expect, requestPage(plan, { [parameter.name]: value }))],
  });
}
