import type { CallStep, Case, Step, Template } from "@plumbline/conformance-runtime";
import {
  collectFilterFields,
  type CursorPages,
  type Operation,
  type Parameter,
  type Resource,
  statedLimits,
} from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { expectError, findOperationError } from "../../requests/expect-error.js";
import { fixturesOf } from "../../requests/fixtures.js";
import { expectStep, planRequest, type RequestPlan } from "../../requests/request-plan.js";
import { createItemSteps, keyOf, maxCreatedItems } from "./page-walks.js";
import {
  listOfNewAccount,
  pageSizeBounds,
  rejectedNumberCases,
  requestPage,
  type CallerOption,
} from "./paged-lists.js";

/** A list whose pages have the cursor of the next one. */
interface CursorList {
  readonly context: ConformanceContext;
  readonly operation: Operation;
  readonly pagination: CursorPages;
  readonly cursor: Parameter;
  readonly size: Parameter | undefined;
  readonly plan: RequestPlan;
}

/** Cases of pages with cursors: sizes that are invalid, every item once, changes between pages, and an unknown cursor. */
export function cursorCases(
  context: ConformanceContext,
  operation: Operation,
  pagination: CursorPages,
): readonly Case[] {
  const named = (name: string | undefined): Parameter | undefined =>
    operation.parameters.find((each) => each.in === "query" && each.name === name);
  const [cursor, size] = [named(pagination.page), named(pagination.size)];
  if (cursor === undefined) return [];
  const plan = planRequest(context, operation, { objects: "shared" });
  const list: CursorList = { context, operation, pagination, cursor, size, plan };
  return [
    ...(size === undefined ? [] : rejectedNumberCases(list, size)),
    ...unknownCursorCases(list),
    ...(size === undefined ? [] : walkCases(list, size)),
  ];
}

function unknownCursorCases({ context, operation, pagination, cursor, plan }: CursorList): readonly Case[] {
  const error = findOperationError(context, operation, pagination.error);
  if (error === undefined) return [];
  return [
    createCase(context, {
      operation,
      kind: "pagination",
      idParts: ["pages", cursor.name, "unknown"],
      title: "A cursor that no page had is rejected",
      requirements: requirementIds(cursor.sources),
      requires: plan.requires,
      exclusive: plan.exclusive,
      steps: [
        ...plan.setupSteps,
        expectStep(plan, expectError(error), requestPage(plan, { [cursor.name]: "no-such-cursor" })),
      ],
    }),
  ];
}

/** What the cases with several pages have in common. */
interface CursorWalk {
  readonly list: CursorList;
  readonly resource: Resource;
  readonly plan: RequestPlan;
  readonly by: CallerOption;
  readonly before: readonly Step[];
  readonly sizeName: string;
  /** The smallest and the greatest page. */
  readonly least: number;
  readonly most: number;
  /** How many items are created. */
  readonly count: number;
  readonly key: string;
}

function walkCases(list: CursorList, size: Parameter): readonly Case[] {
  const { context, operation } = list;
  const resource = context.api.resources.find((each) => each.list === operation.name);
  const { least = 1, most = maxCreatedItems } = pageSizeBounds(context, size);
  const count = 2 * Math.max(least, 1) + 1;
  if (
    resource === undefined ||
    fixturesOf(context)[resource.name] === undefined ||
    count > Math.min(most, maxCreatedItems)
  )
    return [];
  const walk: CursorWalk = {
    list,
    resource,
    ...listOfNewAccount(list),
    sizeName: size.name,
    least: Math.max(least, 1),
    most: Math.min(most, 500),
    count,
    key: keyOf(context, resource),
  };
  return [everyItemCase(walk, {}), ...orderCases(walk), stableCase(walk)];
}

/** All pages have the items of the largest page, each once. Another size continues where the first page ended. */
function everyItemCase(walk: CursorWalk, order: Readonly<Record<string, Template>>): Case {
  const { list, sizeName, least, most, count } = walk;
  const { cursor, pagination } = list;
  const isOrdered = Object.keys(order).length > 0;
  const items = { $count: { $get: `all#/body${itemsPath(list)}` } };
  return walkCase(walk, {
    about: isOrdered ? "order" : "every-item-once",
    title: isOrdered ? "Pages keep the order of the list" : `${count} items are on their pages, each once`,
    steps: [
      readPage(walk, { ...order, [sizeName]: most }, "all"),
      { check: items, matches: statedLimits("number", { least: count }), message: "The list lacks items." },
      {
        ...readPage(walk, { ...order, [sizeName]: least }, "pages"),
        everyPage: true,
        expect: {
          status: 200,
          body: ofItems(list, {
            uniqueItems: true,
            ...statedLimits("items", { least: count }),
            prefixItems: itemsFrom(walk, { as: "all", offset: 0, length: count }),
          }),
        },
      },
      readPage(walk, { ...order, [sizeName]: least }, "one"),
      {
        check: { $get: `one#/body${itemsPath(list)}` },
        matches: statedLimits("items", { least, most: least }),
        message: "The page has another size than requested.",
      },
      readPage(walk, { ...order, [sizeName]: most, [cursor.name]: nextOf(pagination, "one") }, "rest"),
      {
        check: { $get: `rest#/body${itemsPath(list)}` },
        matches: {
          prefixItems: itemsFrom(walk, { as: "all", offset: least, length: count - least }),
          ...statedLimits("items", { least: count - least }),
        },
        message: "The page does not continue after the one with its cursor.",
      },
      {
        check: { count: items, page: { headers: { $get: "rest#/headers" }, body: { $get: "rest#/body" } } },
        matches: {
          if: { properties: { count: statedLimits("number", { most: most - 1 }) } },
          then: { properties: { page: { not: hasNext(pagination) } } },
        },
        message: "The last page has a cursor.",
      },
    ],
  });
}

function orderCases(walk: CursorWalk): readonly Case[] {
  const { context, operation } = walk.list;
  const { order } = operation;
  const [stated] = context.settings.filters?.[operation.name]?.differ ?? [];
  const fields = collectFilterFields(context.api, operation).filter(({ type }) => type !== "array");
  const field = fields.find(({ name }) => name === stated) ?? fields[0];
  if (order?.kind !== "parameter" || field === undefined) return [];
  return [everyItemCase(walk, { [order.parameter]: `${order.descending}${field.name}` })];
}

/** An item of the first page is deleted, and another one is created: the second page continues nevertheless. */
function stableCase(walk: CursorWalk): Case {
  const { list, resource, plan, by, sizeName, least, most, count, key } = walk;
  const { context, pagination, cursor, operation } = list;
  const remove = context.operations.get(resource.delete ?? "");
  const parameter = remove?.parameters.findLast(({ in: place }) => place === "path");
  const deleted: readonly CallStep[] =
    remove === undefined || parameter === undefined
      ? []
      : [
          {
            call: remove.name,
            path: { ...plan.call.path, [parameter.name]: { $get: `one#/body${itemsPath(list)}/0/${key}` } },
            ...by,
            setup: true,
          },
        ];
  const contains = (item: Template): Template => ({ contains: item });
  return walkCase(walk, {
    about: "changes",
    title: "A page continues after the one with its cursor, also if items are created or deleted",
    steps: [
      readPage(walk, { [sizeName]: most }, "all"),
      readPage(walk, { [sizeName]: least }, "one"),
      ...deleted,
      ...createItemSteps(context, { list: operation, resource, plan, by, times: 1 }),
      {
        ...readPage(walk, { [sizeName]: most, [cursor.name]: nextOf(pagination, "one") }, "rest"),
        expect: {
          status: 200,
          body: ofItems(list, {
            allOf: [
              ...itemsFrom(walk, { as: "all", offset: least, length: count - least }).map(contains),
              ...itemsFrom(walk, { as: "all", offset: 0, length: least }).map((item) => ({ not: contains(item) })),
            ],
          }),
        },
      },
    ],
  });
}

function walkCase(
  { list, resource, plan, by, before, count }: CursorWalk,
  { about, title, steps }: { readonly about: string; readonly title: string; readonly steps: readonly Step[] },
): Case {
  const { context, operation, cursor, size } = list;
  return createCase(context, {
    operation,
    kind: "pagination",
    idParts: ["pages", cursor.name, about],
    title,
    requirements: [...requirementIds(cursor.sources), ...requirementIds(size?.sources)],
    requires: plan.requires,
    // Other cases create and delete objects of the same list.
    exclusive: true,
    steps: [...before, ...createItemSteps(context, { list: operation, resource, plan, by, times: count }), ...steps],
  });
}

function readPage({ plan, by }: CursorWalk, query: Readonly<Record<string, Template>>, as: string): CallStep {
  return { ...plan.call, ...by, ...requestPage(plan, query), as, expect: { status: 200 } };
}

/** The items that another response has, from an offset. */
function itemsFrom(
  { list, key }: CursorWalk,
  { as, offset, length }: { readonly as: string; readonly offset: number; readonly length: number },
): readonly Template[] {
  return Array.from({ length }, (_, index) => ({
    required: [key],
    properties: { [key]: { const: { $get: `${as}#/body${itemsPath(list)}/${offset + index}/${key}` } } },
  }));
}

function itemsPath({ pagination: { envelope } }: CursorList): string {
  return envelope.items === undefined ? "" : `/${envelope.items}`;
}

function ofItems({ pagination: { envelope } }: CursorList, schema: Record<string, Template>): Template {
  return envelope.items === undefined
    ? schema
    : { required: [envelope.items], properties: { [envelope.items]: schema } };
}

function nextOf(pagination: CursorPages, as: string): Template {
  return { $get: `${as}#/${nextPath(pagination).join("/")}` };
}

/** The path of the cursor in `{headers, body}`. */
function nextPath({ next }: CursorPages): readonly string[] {
  return next.in === "header" ? ["headers", next.name.toLowerCase()] : ["body", ...next.pointer];
}

function hasNext(pagination: CursorPages): Template {
  return nextPath(pagination).reduceRight(
    (inner: Template, name) => ({ required: [name], properties: { [name]: inner } }),
    { type: ["string", "number"], not: { const: "" } },
  );
}
