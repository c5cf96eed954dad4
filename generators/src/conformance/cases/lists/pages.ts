import type { Case, Expectation, Step, Template } from "@plumbline/conformance-runtime";
import { type Parameter, statedLimits } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { callStep, expectStep } from "../../requests/request-plan.js";
import { cursorCases } from "./cursors.js";
import { walkCases } from "./page-walks.js";
import {
  requestPage,
  pageSizeBounds,
  isReadOnly,
  envelopeRequirements,
  listOfNewAccount,
  pagedList,
  rejectedNumberCases,
  type PagedList,
} from "./paged-lists.js";

/** Cases of pagination: sizes at their bounds, invalid pages, every item once, and a page past the last. */
export function pageCases(context: ConformanceContext): readonly Case[] {
  return context.api.operations.flatMap((operation) => {
    const { pagination } = operation;
    if (pagination === undefined) return [];
    if (pagination.next !== undefined) return cursorCases(context, operation, pagination);
    const list = pagedList(context, operation, pagination);
    return list === undefined ? [] : [...boundCases(list), pastCase(list), emptyCase(list), ...walkCases(list)];
  });
}

// Bounds

function boundCases(list: PagedList): readonly Case[] {
  return [list.page, list.size].flatMap((parameter) => {
    const { least, most } = pageSizeBounds(list.context, parameter);
    const accepted = [...new Set([least, most].filter((each) => each !== undefined))];
    return [...accepted.map((value) => acceptedCase(list, parameter, value)), ...rejectedNumberCases(list, parameter)];
  });
}

function acceptedCase(list: PagedList, parameter: Parameter, value: number): Case {
  const { context, operation, pagination, plan } = list;
  const { items, page, total } = pagination.envelope;
  const isPage = parameter === list.page;
  const body: Template = {
    required: [items, page],
    properties: {
      [page]: { const: isPage ? value : 1 },
      [items]: isPage ? { type: "array" } : { type: "array", ...statedLimits("items", { most: value }) },
      [total]: { type: "integer", ...statedLimits("number", { least: 0 }) },
    },
  };
  return createCase(context, {
    operation,
    kind: "pagination",
    idParts: ["pages", parameter.name, `is-${value}`],
    title: `${parameter.name} ${value} is accepted`,
    requirements: [...requirementIds(parameter.sources), ...envelopeRequirements(list, [page])],
    requires: plan.requires,
    exclusive: plan.exclusive,
    readOnly: isReadOnly(plan),
    steps: [
      ...plan.setupSteps,
      expectStep(plan, { status: 200, body }, requestPage(plan, { [parameter.name]: value })),
    ],
  });
}

// Missing pages

const distantPage = 100_000;

function pastCase(list: PagedList): Case {
  const { context, operation, pagination, plan } = list;
  const { items, page, pages, total } = pagination.envelope;
  const { most } = pageSizeBounds(context, list.size);
  const largest = most === undefined ? {} : { [pagination.size]: most };
  const counted = (fullPage: number): Step => ({
    check: { $count: { $get: `first#/body/${items}` } },
    matches: { enum: [{ $get: `first#/body/${total}` }, fullPage] },
    message: "The reported number of items is wrong.",
  });
  const same = (field: string): Template => ({ const: { $get: `first#/body/${field}` } });
  const expect: Expectation = {
    status: 200,
    body: {
      required: [items, page, pages, total],
      properties: {
        [items]: statedLimits("items", { most: 0 }),
        [page]: { const: distantPage },
        [pages]: same(pages),
        [total]: same(total),
      },
    },
  };
  return createCase(context, {
    operation,
    kind: "pagination",
    idParts: ["pages", "past-the-last"],
    title: "A page past the last one is empty, with the correct totals",
    requirements: [
      ...requirementIds([...operation.sources, ...list.page.sources]),
      ...envelopeRequirements(list, Object.values(pagination.envelope)),
    ],
    requires: plan.requires,
    exclusive: plan.exclusive,
    readOnly: isReadOnly(plan),
    steps: [
      ...plan.setupSteps,
      // Objects that are being deleted count until they are gone.
      { settle: true },
      callStep(plan, { as: "first", ...requestPage(plan, largest) }),
      ...(most === undefined ? [] : [counted(most)]),
      expectStep(plan, expect, requestPage(plan, { ...largest, [pagination.page]: distantPage })),
    ],
  });
}

/** A new account has no items in most lists. If it has some, the case does not check them. */
function emptyCase(list: PagedList): Case {
  const { context, operation, pagination } = list;
  const { items, page, pages, total } = pagination.envelope;
  const { before, plan, by } = listOfNewAccount(list);
  const body: Template = {
    required: [items, page, pages, total],
    if: { properties: { [total]: { const: 0 } } },
    then: { properties: { [items]: statedLimits("items", { most: 0 }), [page]: { const: 1 }, [pages]: { const: 1 } } },
    else: {
      properties: { [items]: statedLimits("items", { least: 1 }), [pages]: statedLimits("number", { least: 1 }) },
    },
  };
  return createCase(context, {
    operation,
    kind: "pagination",
    idParts: ["pages", "empty"],
    title: "A list without items has one page",
    requirements: envelopeRequirements(list, [pages, total]),
    requires: plan.requires,
    exclusive: plan.exclusive,
    steps: [...before, expectStep(plan, { status: 200, body }, by)],
  });
}
