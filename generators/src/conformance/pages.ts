import type { Case, Caller, Expect, Step, Template } from "@plumbline/conformance-runtime";
import type { Operation, Pagination, Parameter, Resource } from "../model/api.js";
import { partsOf } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { calling, expecting, planOf, type Plan } from "./plans.js";
import { recipesOf } from "./recipes.js";
import { refusedWith } from "./refused.js";

/** Pages of each list: sizes at their bounds, pages that are none, every item once, and a page past the last. */
export function pageCases(context: Context): readonly Case[] {
  return context.api.operations.flatMap((operation) => {
    const { pagination } = operation;
    if (pagination === undefined) return [];
    const list = listOf(context, operation, pagination);
    return list === undefined ? [] : [...boundCases(list), pastCase(list), emptyCase(list), ...walkCases(list)];
  });
}

interface List {
  readonly context: Context;
  readonly operation: Operation;
  readonly pagination: Pagination;
  readonly page: Parameter;
  readonly size: Parameter;
  readonly plan: Plan;
}

function listOf(context: Context, operation: Operation, pagination: Pagination): List | undefined {
  const named = (name: string): Parameter | undefined =>
    operation.parameters.find((each) => each.in === "query" && each.name === name);
  const [page, size] = [named(pagination.page), named(pagination.size)];
  if (page === undefined || size === undefined) return undefined;
  return { context, operation, pagination, page, size, plan: planOf(context, operation, { objects: "shared" }) };
}

// Bounds

function boundCases(list: List): readonly Case[] {
  return [list.page, list.size].flatMap((parameter) => {
    const { minimum, maximum } = boundsOf(list.context, parameter);
    const accepted = [...new Set([minimum, maximum].filter((each) => each !== undefined))];
    const refused: readonly (readonly [string, Template])[] = [
      ...(minimum === undefined ? [] : [["below-minimum", minimum - 1] as const]),
      ...(minimum === undefined || minimum <= 0 ? [] : [["negative", -1] as const]),
      ...(maximum === undefined ? [] : [["above-maximum", maximum + 1] as const]),
      ["text", "many"],
      ["fraction", `${minimum ?? 1}.5`],
      ["empty", ""],
    ];
    const all = new Map(refused.map(([what, value]) => [JSON.stringify(value), [what, value] as const] as const));
    return [
      ...accepted.map((value) => acceptedCase(list, parameter, value)),
      ...[...all.values()].map(([what, value]) => refusedCase(list, parameter, { what, value })),
    ];
  });
}

function acceptedCase(list: List, parameter: Parameter, value: number): Case {
  const { context, operation, pagination, plan } = list;
  const { items, page, total } = pagination.envelope;
  const isPage = parameter === list.page;
  const body: Template = {
    required: [items, page],
    properties: {
      [page]: { const: isPage ? value : 1 },
      [items]: isPage ? { type: "array" } : { type: "array", maxItems: value },
      [total]: { type: "integer", minimum: 0 },
    },
  };
  return caseOf(context, {
    operation,
    kind: "pagination",
    about: ["pages", parameter.name, `is-${value}`],
    title: `${parameter.name} may be ${value}`,
    requirements: [...requirementsOf(parameter.sources), ...ofEnvelope(list, [page])],
    needs: plan.needs,
    alone: plan.alone,
    safe: isSafe(plan),
    steps: [...plan.before, expecting(plan, { status: 200, body }, asking(plan, { [parameter.name]: value }))],
  });
}

function refusedCase(
  list: List,
  parameter: Parameter,
  { what, value }: { readonly what: string; readonly value: Template },
): Case {
  const { context, operation, plan } = list;
  const expect = refusedWith(context, operation, { usual: [400, 422], field: parameter.name }).expect;
  return caseOf(context, {
    operation,
    kind: "pagination",
    about: ["pages", parameter.name, what],
    title: `${parameter.name} cannot be ${JSON.stringify(value)}`,
    requirements: requirementsOf(parameter.sources),
    needs: plan.needs,
    alone: plan.alone,
    safe: isSafe(plan),
    steps: [...plan.before, expecting(plan, expect, asking(plan, { [parameter.name]: value }))],
  });
}

// Pages that are not there

const far = 100_000;

function pastCase(list: List): Case {
  const { context, operation, pagination, plan } = list;
  const { items, page, pages, total } = pagination.envelope;
  const same = (field: string): Template => ({ const: { $get: `first#/body/${field}` } });
  const expect: Expect = {
    status: 200,
    body: {
      required: [items, page, pages, total],
      properties: { [items]: { maxItems: 0 }, [page]: { const: far }, [pages]: same(pages), [total]: same(total) },
    },
  };
  return caseOf(context, {
    operation,
    kind: "pagination",
    about: ["pages", "past-the-last"],
    title: "A page past the last one is empty, and says how many there are",
    requirements: [...requirementsOf(list.page.sources), ...ofEnvelope(list, [items, page])],
    needs: plan.needs,
    alone: plan.alone,
    safe: isSafe(plan),
    steps: [
      ...plan.before,
      calling(plan, { as: "first" }),
      expecting(plan, expect, asking(plan, { [pagination.page]: far })),
    ],
  });
}

/** A new account has none of most things; where it has some, the case says nothing of them. */
function emptyCase(list: List): Case {
  const { context, operation, pagination } = list;
  const { items, page, pages, total } = pagination.envelope;
  const { before, plan, by } = ownList(list);
  const body: Template = {
    required: [items, page, pages, total],
    if: { properties: { [total]: { const: 0 } } },
    then: { properties: { [items]: { maxItems: 0 }, [page]: { const: 1 }, [pages]: { const: 1 } } },
    else: { properties: { [items]: { minItems: 1 }, [pages]: { minimum: 1 } } },
  };
  return caseOf(context, {
    operation,
    kind: "pagination",
    about: ["pages", "empty"],
    title: "A list without items has one page",
    requirements: ofEnvelope(list, [pages, total]),
    needs: plan.needs,
    alone: plan.alone,
    steps: [...before, expecting(plan, { status: 200, body }, by)],
  });
}

// From page to page

/** So many things are made for a list at most. */
const most = 120;

function walkCases(list: List): readonly Case[] {
  const { context, operation, pagination } = list;
  const resource = context.api.resources.find((each) => each.list === operation.name);
  const recipe = resource && recipesOf(context)[resource.name];
  const least = boundsOf(context, list.size).minimum ?? 10;
  if (resource === undefined || recipe === undefined || resource.owner.includes("platform") || least + 1 > most)
    return [];
  const usual = defaultOf(context, list.size);
  const makesAtOnce = recipe.steps.length === 1;
  const made = makesAtOnce && usual !== undefined && usual > least && usual < most ? usual + 1 : least + 1;
  const { before, plan, by } = ownList(list);
  const requirements = [
    ...requirementsOf(list.page.sources),
    ...requirementsOf(list.size.sources),
    ...ofEnvelope(list, Object.values(pagination.envelope)),
  ];
  const walk = stepsOfWalk(list, { plan, by, least, made, usual, key: keyOf(context, resource) });
  return [
    caseOf(context, {
      operation,
      kind: "pagination",
      about: ["pages", "every-item-once"],
      title: `${made} items are on the pages they belong on, each once`,
      requirements,
      needs: plan.needs,
      alone: plan.alone,
      steps: [...before, ...making(context, { list: operation, resource, plan, by, times: made }), ...walk],
    }),
  ];
}

interface Walk {
  readonly plan: Plan;
  readonly by: ByCaller;
  readonly least: number;
  readonly made: number;
  readonly usual: number | undefined;
  readonly key: string;
}

function stepsOfWalk({ context, pagination, size }: List, walk: Walk): readonly Step[] {
  const { plan, by, least, made, usual, key } = walk;
  const { items, page, pages, total } = pagination.envelope;
  const asked = (query: Readonly<Record<string, Template>>, as: string): Step => ({
    ...plan.call,
    ...by,
    ...asking(plan, query),
    as,
    expect: { status: 200 },
  });
  /** The page holds what the whole list has from there on. */
  const holds = (as: string, { from, length, number }: { from: number; length: number; number: number }): Step => ({
    check: { $get: `${as}#/body` },
    matches: {
      properties: {
        [items]: {
          minItems: length,
          maxItems: length,
          prefixItems: Array.from({ length }, (_, index) => ({
            properties: { [key]: { const: { $get: `all#/body/${items}/${from + index}/${key}` } } },
          })),
        },
        [page]: { const: number },
        [total]: { const: { $get: `all#/body/${total}` } },
      },
    },
    message: `Page ${number} does not hold the items that are its own.`,
  });
  const ofLeast = { [pagination.size]: least };
  const all = { [pagination.size]: Math.min(boundsOf(context, size).maximum ?? most, 500) };
  const whole = made > (usual ?? made);
  return [
    asked(all, "all"),
    {
      check: { $count: { $get: `all#/body/${items}` } },
      matches: { const: { $get: `all#/body/${total}` }, minimum: made },
      message: "The number of items is not how many there are.",
    },
    asked(ofLeast, "one"),
    holds("one", { from: 0, length: least, number: 1 }),
    { check: { $get: `one#/body/${pages}` }, matches: { minimum: Math.ceil(made / least) } },
    asked({ ...ofLeast, [pagination.page]: 2 }, "two"),
    whole
      ? holds("two", { from: least, length: least, number: 2 })
      : {
          check: { $get: `two#/body/${items}` },
          matches: {
            minItems: 1,
            prefixItems: [{ properties: { [key]: { const: { $get: `all#/body/${items}/${least}/${key}` } } } }],
          },
          message: "The second page does not go on where the first one ends.",
        },
    ...(whole && usual !== undefined
      ? [asked({}, "usual"), holds("usual", { from: 0, length: usual, number: 1 })]
      : usual === undefined || usual <= least
        ? []
        : [
            asked({}, "usual"),
            {
              check: { $count: { $get: `usual#/body/${items}` } },
              matches: { minimum: Math.min(made, usual), maximum: usual },
              message: "A page without a size has another one than is documented.",
            },
          ]),
  ];
}

/** So many objects, in windows where their making is limited. */
function making(
  context: Context,
  { list, resource, plan, by, times }: { list: Operation; resource: Resource; plan: Plan; by: ByCaller; times: number },
): readonly Step[] {
  const maker = context.api.operations.find(({ method, path }) => method === "POST" && path === list.path);
  const { before, step } =
    maker === undefined ? { before: [], step: itemBy(resource, { plan, by }) } : itemOf(context, maker, { plan, by });
  const called = maker === undefined ? usedBy(context, resource.name) : new Set([maker.name]);
  const rate = context.api.operations
    .filter(({ name }) => called.has(name))
    .flatMap(({ limits }) => limits)
    .find(({ kind, max }) => kind === "rate" && max !== undefined && max < times);
  if (rate?.max === undefined || rate.window === undefined) return [...before, { repeat: [step], times }];
  const { max, window } = rate;
  const rounds = Math.floor(times / max);
  const rest = times - rounds * max;
  return [
    ...before,
    ...Array.from({ length: rounds }, (): readonly Step[] => [
      { repeat: [step], times: max },
      { advance: window.text },
    ]).flat(),
    ...(rest === 0 ? [] : [{ repeat: [step], times: rest }]),
  ];
}

/** An item by its recipe. */
function itemBy(resource: Resource, { plan, by }: { readonly plan: Plan; readonly by: ByCaller }): Step {
  const of = Object.fromEntries(
    plan.before.flatMap((step) => ("make" in step ? [[step.make, { $get: step.as }] as const] : [])),
  );
  const inputs = Object.keys(of).length === 0 ? {} : { of };
  return { make: resource.name, as: "item", ...inputs, fresh: true, ...by };
}

/** An item by the operation that adds one to the list; nothing waits until it is done. */
function itemOf(
  context: Context,
  maker: Operation,
  { plan, by }: { readonly plan: Plan; readonly by: ByCaller },
): { readonly before: readonly Step[]; readonly step: Step } {
  const { call, before } = planOf(context, maker, { objects: "own" });
  const around = new Set(plan.before.flatMap((step) => ("make" in step ? [step.as] : [])));
  return {
    before: before
      .filter((step) => !("make" in step && around.has(step.as)))
      .map((step) => ("make" in step || "call" in step ? { ...step, ...by } : step)),
    step: { ...call, ...(plan.call.path === undefined ? {} : { path: plan.call.path }), given: true, ...by },
  };
}

/** The operations that a recipe calls itself. */
function usedBy(context: Context, name: string): ReadonlySet<string> {
  return new Set(recipesOf(context)[name]?.steps.flatMap((step) => ("call" in step ? [step.call] : [])));
}

type ByCaller = { readonly by?: Caller };

/** The list of a new account, or below an object of the case's own, so that nobody else's items are in it. */
function ownList({ context, operation }: List): {
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

/** The field of a resource that names it. */
function keyOf(context: Context, resource: Resource): string {
  const named = context.operations.get(resource.read ?? resource.delete ?? "");
  const parameter = named?.parameters.findLast((each) => each.in === "path" && each.reference?.to === resource.name);
  return parameter?.reference?.by ?? "id";
}

function asking(plan: Plan, query: Readonly<Record<string, Template>>): { readonly query: Record<string, Template> } {
  return { query: { ...plan.call.query, ...query } };
}

function isSafe(plan: Plan): boolean {
  return plan.before.length === 0 && plan.call.by === undefined;
}

function boundsOf({ api }: Context, { shape }: Parameter): { readonly minimum?: number; readonly maximum?: number } {
  const parts = partsOf(api, shape);
  const minimum = parts.find((part) => part.minimum !== undefined)?.minimum;
  const maximum = parts.find((part) => part.maximum !== undefined)?.maximum;
  return { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) };
}

function defaultOf({ api }: Context, { shape }: Parameter): number | undefined {
  const known = partsOf(api, shape).find((part) => part.default !== undefined)?.default;
  return typeof known === "number" ? known : undefined;
}

/** The requirements of these fields of a page, and of the page. */
function ofEnvelope({ context, operation }: List, names: readonly string[]): readonly string[] {
  const reply = operation.replies.find(({ status }) => status === 200);
  const content = reply === undefined ? undefined : jsonContent(reply.contents);
  if (content === undefined) return requirementsOf(operation.sources);
  return partsOf(context.api, content.shape).flatMap(({ properties = [] }) =>
    properties.filter(({ name }) => names.includes(name)).flatMap(({ shape }) => requirementsOf(shape.sources)),
  );
}
