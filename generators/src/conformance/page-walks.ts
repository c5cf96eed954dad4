import type { Case, Step, Template } from "@plumbline/conformance-runtime";
import type { Operation, Resource } from "../model/api.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { asking, boundsOf, defaultOf, ofEnvelope, ownList, type ByCaller, type PagedList } from "./paged.js";
import { planOf, type Plan } from "./plans.js";
import { recipesOf } from "./recipes.js";

/** At most this many objects are created for a list. */
const most = 120;

/** Creates items for two pages, and checks that each is on its page exactly once. */
export function walkCases(list: PagedList): readonly Case[] {
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
      title: `${made} items are on their pages, each once`,
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

function stepsOfWalk({ context, pagination, size }: PagedList, walk: Walk): readonly Step[] {
  const { plan, by, least, made, usual, key } = walk;
  const { items, page, pages, total } = pagination.envelope;
  const asked = (query: Readonly<Record<string, Template>>, as: string): Step => ({
    ...plan.call,
    ...by,
    ...asking(plan, query),
    as,
    expect: { status: 200 },
  });
  /** The page has the items that the complete list has from its offset. */
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
    message: `Page ${number} has other items than expected.`,
  });
  const ofLeast = { [pagination.size]: least };
  const all = { [pagination.size]: Math.min(boundsOf(context, size).maximum ?? most, 500) };
  const whole = made > (usual ?? made);
  return [
    asked(all, "all"),
    {
      check: { $count: { $get: `all#/body/${items}` } },
      matches: { const: { $get: `all#/body/${total}` }, minimum: made },
      message: "The reported number of items is wrong.",
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
          message: "The second page does not continue after the first one.",
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
              message: "The default size of a page differs from the documented one.",
            },
          ]),
  ];
}

/** Steps that create this many objects, within rate limits. */
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

/** Creates an item by its recipe. */
function itemBy(resource: Resource, { plan, by }: { readonly plan: Plan; readonly by: ByCaller }): Step {
  const of = Object.fromEntries(
    plan.before.flatMap((step) => ("make" in step ? [[step.make, { $get: step.as }] as const] : [])),
  );
  const inputs = Object.keys(of).length === 0 ? {} : { of };
  return { make: resource.name, as: "item", ...inputs, fresh: true, ...by };
}

/** Creates an item with the creating operation, without waiting for its jobs. */
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

/** The operations that a recipe calls. */
function usedBy(context: Context, name: string): ReadonlySet<string> {
  return new Set(recipesOf(context)[name]?.steps.flatMap((step) => ("call" in step ? [step.call] : [])));
}

/** The field that identifies a resource. */
function keyOf(context: Context, resource: Resource): string {
  const named = context.operations.get(resource.read ?? resource.delete ?? "");
  const parameter = named?.parameters.findLast((each) => each.in === "path" && each.reference?.to === resource.name);
  return parameter?.reference?.by ?? "id";
}
