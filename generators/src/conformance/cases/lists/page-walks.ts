import type { Case, Step, Template } from "@plumbline/conformance-runtime";
import { type Operation, type Resource, statedLimits } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { fixturesOf } from "../../requests/fixtures.js";
import { inputsFrom, planRequest, type RequestPlan } from "../../requests/request-plan.js";
import {
  requestPage,
  pageSizeBounds,
  defaultPageSize,
  envelopeRequirements,
  listOfNewAccount,
  type CallerOption,
  type PagedList,
} from "./paged-lists.js";

/** At most this many objects are created for a list. */
export const maxCreatedItems = 120;

/** Creates items for two pages, and checks that each is on its page exactly once. */
export function walkCases(list: PagedList): readonly Case[] {
  const { context, operation, pagination } = list;
  const resource = context.api.resources.find((each) => each.list === operation.name);
  const fixture = resource && fixturesOf(context)[resource.name];
  const least = pageSizeBounds(context, list.size).least ?? 10;
  if (
    resource === undefined ||
    fixture === undefined ||
    resource.owner.includes("platform") ||
    least + 1 > maxCreatedItems
  )
    return [];
  const usual = defaultPageSize(context, list.size);
  const makesAtOnce = fixture.steps.length === 1;
  const count = makesAtOnce && usual !== undefined && usual > least && usual < maxCreatedItems ? usual + 1 : least + 1;
  const { before, plan, by } = listOfNewAccount(list);
  const requirements = [
    ...requirementIds(list.page.sources),
    ...requirementIds(list.size.sources),
    ...envelopeRequirements(list, Object.values(pagination.envelope)),
  ];
  const key = keyOf(context, resource);
  const walk = stepsOfWalk(list, {
    plan,
    by,
    minimumSize: least,
    itemCount: count,
    defaultSize: usual,
    key,
  });
  return [
    createCase(context, {
      operation,
      kind: "pagination",
      idParts: ["pages", "every-item-once"],
      title: `${count} items are on their pages, each once`,
      requirements,
      requires: plan.requires,
      exclusive: plan.exclusive,
      steps: [
        ...before,
        ...createItemSteps(context, { list: operation, resource, plan, by, times: count }),
        ...walk,
        ...changeSteps(list, { resource, plan, by, key, least }),
      ],
    }),
  ];
}

interface PageWalk {
  readonly plan: RequestPlan;
  readonly by: CallerOption;
  readonly minimumSize: number;
  readonly itemCount: number;
  readonly defaultSize: number | undefined;
  readonly key: string;
}

function stepsOfWalk({ context, pagination, size }: PagedList, walk: PageWalk): readonly Step[] {
  const { plan, by, minimumSize, itemCount, defaultSize, key } = walk;
  const { items, page, pages, total } = pagination.envelope;
  const read = (query: Readonly<Record<string, Template>>, as: string): Step => ({
    ...plan.call,
    ...by,
    ...requestPage(plan, query),
    as,
    expect: { status: 200 },
  });
  /** These items of the complete list, from an offset. */
  const itemsFrom = (offset: number, length: number): readonly Template[] =>
    Array.from({ length }, (_, index) => ({
      properties: { [key]: { const: { $get: `all#/body/${items}/${offset + index}/${key}` } } },
    }));
  /** The page has the items that the complete list has from its offset. */
  const holds = (as: string, { offset, length, number }: PageContent): Step => ({
    check: { $get: `${as}#/body` },
    matches: {
      properties: {
        [items]: {
          ...statedLimits("items", { least: length, most: length }),
          prefixItems: itemsFrom(offset, length),
        },
        [page]: { const: number },
        [total]: { const: { $get: `all#/body/${total}` } },
      },
    },
    message: `Page ${number} has other items than expected.`,
  });
  const isWhole = itemCount > (defaultSize ?? itemCount);
  const continues: Step = {
    check: { $get: `two#/body/${items}` },
    matches: { ...statedLimits("items", { least: 1 }), prefixItems: itemsFrom(minimumSize, 1) },
    message: "The second page does not continue after the first one.",
  };
  const steps: readonly Step[] = [
    read({ [pagination.size]: Math.min(pageSizeBounds(context, size).most ?? maxCreatedItems, 500) }, "all"),
    {
      check: { $count: { $get: `all#/body/${items}` } },
      matches: { const: { $get: `all#/body/${total}` }, ...statedLimits("number", { least: itemCount }) },
      message: "The reported number of items is wrong.",
    },
    read({ [pagination.size]: minimumSize }, "one"),
    holds("one", { offset: 0, length: minimumSize, number: 1 }),
    {
      check: { $get: `one#/body/${pages}` },
      matches: statedLimits("number", { least: Math.ceil(itemCount / minimumSize) }),
    },
    read({ [pagination.size]: minimumSize, [pagination.page]: 2 }, "two"),
    isWhole ? holds("two", { offset: minimumSize, length: minimumSize, number: 2 }) : continues,
  ];
  if (defaultSize === undefined || (!isWhole && defaultSize <= minimumSize)) return steps;
  const hasDefaultSize: Step = {
    check: { $count: { $get: `usual#/body/${items}` } },
    matches: statedLimits("number", { least: Math.min(itemCount, defaultSize), most: defaultSize }),
    message: "The default size of a page differs from the documented one.",
  };
  const usual = isWhole ? holds("usual", { offset: 0, length: defaultSize, number: 1 }) : hasDefaultSize;
  return [...steps, read({}, "usual"), usual];
}

interface ChangedList {
  readonly resource: Resource;
  readonly plan: RequestPlan;
  readonly by: CallerOption;
  readonly key: string;
  /** The smallest page. */
  readonly least: number;
}

/** Once an item of the first page is deleted, the first item of the second page is on the first one. The very first may be the caller's token. */
function changeSteps(
  { context, pagination }: PagedList,
  { resource, plan, by, key, least }: ChangedList,
): readonly Step[] {
  const { items } = pagination.envelope;
  const remove = context.operations.get(resource.delete ?? "");
  const parameter = remove?.parameters.findLast((each) => each.in === "path");
  if (remove === undefined || parameter === undefined) return [];
  const itemAt = (offset: number): Template => ({ $get: `all#/body/${items}/${offset}/${key}` });
  const isItem = (offset: number): Template => ({ required: [key], properties: { [key]: { const: itemAt(offset) } } });
  const page = (number: number, content: Template): Step => ({
    ...plan.call,
    ...by,
    ...requestPage(plan, { [pagination.size]: least, [pagination.page]: number }),
    expect: { status: 200, body: { properties: { [items]: content } } },
  });
  return [
    { call: remove.name, path: { ...plan.call.path, [parameter.name]: itemAt(least - 1) }, ...by, setup: true },
    { settle: true },
    page(1, { contains: isItem(least), not: { contains: isItem(least - 1) } }),
    page(2, { not: { contains: isItem(least) } }),
  ];
}

interface PageContent {
  readonly offset: number;
  readonly length: number;
  readonly number: number;
}

/** Steps that create this many objects, within rate limits. */
export function createItemSteps(
  context: ConformanceContext,
  {
    list,
    resource,
    plan,
    by,
    times,
  }: { list: Operation; resource: Resource; plan: RequestPlan; by: CallerOption; times: number },
): readonly Step[] {
  const maker = context.api.operations.find(({ method, path }) => method === "POST" && path === list.path);
  const { before, step } =
    maker === undefined ? { before: [], step: itemBy(resource, { plan, by }) } : itemOf(context, maker, { plan, by });
  const called = maker === undefined ? operationsOfFixture(context, resource.name) : new Set([maker.name]);
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

/** Creates an item by its fixture. */
function itemBy(resource: Resource, { plan, by }: { readonly plan: RequestPlan; readonly by: CallerOption }): Step {
  const parents = inputsFrom(plan.setupSteps);
  const inputs = Object.keys(parents).length === 0 ? {} : { of: parents };
  return { make: resource.name, as: "item", ...inputs, fresh: true, ...by };
}

/** Creates an item with the creating operation, without waiting for its jobs. */
function itemOf(
  context: ConformanceContext,
  maker: Operation,
  { plan, by }: { readonly plan: RequestPlan; readonly by: CallerOption },
): { readonly before: readonly Step[]; readonly step: Step } {
  const { call, setupSteps } = planRequest(context, maker, { objects: "own" });
  const around = new Set(plan.setupSteps.flatMap((step) => ("make" in step ? [step.as] : [])));
  return {
    before: setupSteps
      .filter((step) => !("make" in step && around.has(step.as)))
      .map((step) => ("make" in step || "call" in step ? { ...step, ...by } : step)),
    step: { ...call, ...(plan.call.path === undefined ? {} : { path: plan.call.path }), setup: true, ...by },
  };
}

/** The operations that a fixture calls. */
function operationsOfFixture(context: ConformanceContext, name: string): ReadonlySet<string> {
  return new Set(fixturesOf(context)[name]?.steps.flatMap((step) => ("call" in step ? [step.call] : [])));
}

/** The field that identifies a resource. */
export function keyOf(context: ConformanceContext, resource: Resource): string {
  const operation = context.operations.get(resource.read ?? resource.delete ?? "");
  const parameter = operation?.parameters.findLast(
    (each) => each.in === "path" && each.reference?.to === resource.name,
  );
  return parameter?.reference?.by ?? "id";
}
