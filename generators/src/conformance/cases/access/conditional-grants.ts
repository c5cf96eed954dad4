import type { Case, MakeStep, Template } from "@plumbline/conformance-runtime";
import {
  findField,
  findJsonContent,
  type Grant,
  type Operation,
  type Schema,
  schemaParts,
  sizeLimits,
} from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { callerInWords, callersWithout } from "../../context/suite-callers.js";
import { callAs } from "../../requests/callers.js";
import { expectRejection } from "../../requests/expect-error.js";
import { planRequest, type RequestPlan } from "../../requests/request-plan.js";
import { schemaSample } from "../../values/samples.js";
import { requiredGrants, grantsTemplate, planWithHolders } from "./required-grants.js";

/** Cases of grants with a condition, such as tags that only some callers may set. */
export function conditionalGrantCases(context: ConformanceContext, operation: Operation): readonly Case[] {
  return operation.grants.flatMap((grant) => {
    if (grant.kind !== "caller" || grant.when === undefined) return [];
    return fieldsWithGrantCondition(grant).flatMap(([field, schema]) =>
      casesOf(context, operation, { grant, field, schema }),
    );
  });
}

interface GrantCondition {
  readonly grant: Extract<Grant, { readonly kind: "caller" }>;
  readonly field: string;
  /** The condition's schema for the field. */
  readonly schema: Schema | undefined;
}

function fieldsWithGrantCondition({ when }: Grant): readonly (readonly [field: string, schema: Schema | undefined])[] {
  const changed = (when?.changes ?? []).map((field) => [field, undefined] as const);
  const sent = (when?.body?.properties ?? []).map(({ name, schema }) => [name, schema] as const);
  return [...changed, ...sent].filter(([field]) => !/[./*]/.test(field));
}

function casesOf(
  context: ConformanceContext,
  operation: Operation,
  { grant, field, schema }: GrantCondition,
): readonly Case[] {
  const content = operation.requestBody && findJsonContent(operation.requestBody.contents);
  const described = content && findField(context.api, content.schema, [field]);
  if (described === undefined) return [];
  const isChange = schema === undefined;
  const item = itemOf(context, described);
  const value = isChange
    ? otherValue(context, described, item)
    : fittingValue(context, described, { item, condition: schema });
  if (value === undefined) return [];
  const planned = (objects: "own" | "shared"): RequestPlan => {
    const plan = planWithHolders(context, planRequest(context, operation, { objects }));
    return { ...plan, setupSteps: [...plan.setupSteps, ...(item?.steps ?? [])] };
  };
  const shared = planned("shared");
  const allowedPlan = planned(isChange ? "own" : "shared");
  const required = requiredGrants(context, shared);
  if (required === undefined) return [];
  const forbidden = expectRejection(context, operation, { id: grant.error, defaultStatuses: [403] });
  const grants = grantsTemplate(context, required, { others: true });
  const requirements = requirementIds(grant.sources);
  const rejected = callersWithout(context.api, grant.caller).flatMap((caller) => {
    const plan = callAs(sending(shared, { [field]: value }), { caller, grants });
    return plan === undefined
      ? []
      : [
          createCase(context, {
            operation,
            kind: "grants",
            idParts: ["grants", field, caller],
            title: `${operation.name} with ${field} rejects ${callerInWords(context.api, caller)}`,
            requirements: [...requirements, ...forbidden.requirements],
            requires: shared.requires,
            steps: [...plan.setupSteps, { ...plan.call, expect: forbidden.expect }],
          }),
        ];
  });
  const open = sending(allowedPlan, { [field]: value });
  const allowed = createCase(context, {
    operation,
    kind: "grants",
    idParts: ["grants", field, "allowed"],
    title: `${operation.name} with ${field} is allowed to the main user`,
    requirements,
    requires: allowedPlan.requires,
    exclusive: allowedPlan.exclusive,
    steps: [...open.setupSteps, open.call],
  });
  const needless = schema === undefined ? sameValue(context, operation, field) : emptyList(field, schema);
  return [
    ...rejected,
    allowed,
    ...(needless === undefined ? [] : needlessCases(context, allowedPlan, grant, needless)),
  ];
}

/** A value that needs no grant. */
interface NeedlessValue {
  readonly field: string;
  readonly name: "empty" | "same";
  readonly words: string;
  readonly value: Template;
  /** Reads what is sent. */
  readonly read: Operation | undefined;
}

/** A list that is too short for the condition. */
function emptyList(field: string, schema: Schema): NeedlessValue | undefined {
  const isTooShort = (sizeLimits("items", [schema]).least ?? 0) > 0;
  return isTooShort ? { field, name: "empty", words: `an empty ${field}`, value: [], read: undefined } : undefined;
}

/** An update with the stored value changes nothing. */
function sameValue({ api }: ConformanceContext, { path }: Operation, field: string): NeedlessValue | undefined {
  const read = api.operations.find((each) => each.method === "GET" && each.path === path);
  const value = { $get: `stored#/body/${field}` };
  return read && { field, name: "same", words: `the stored ${field}`, value, read };
}

function needlessCases(
  context: ConformanceContext,
  plan: RequestPlan,
  grant: GrantCondition["grant"],
  { field, name, words, value, read }: NeedlessValue,
): readonly Case[] {
  const { operation } = plan;
  const required = requiredGrants(context, plan);
  const [caller] = callersWithout(context.api, grant.caller);
  if (required === undefined || caller === undefined) return [];
  const grants = grantsTemplate(context, required, { others: read === undefined });
  const sent = callAs(sending(plan, { [field]: value }), { caller, grants });
  if (sent === undefined) return [];
  const { path, by } = sent.call;
  return [
    createCase(context, {
      operation,
      kind: "grants",
      idParts: ["grants", field, name],
      title: `${operation.name} with ${words} is allowed to ${callerInWords(context.api, caller)}`,
      requirements: requirementIds(grant.sources),
      requires: plan.requires,
      exclusive: plan.exclusive,
      steps: [
        ...sent.setupSteps,
        ...(read === undefined ? [] : [{ call: read.name, setup: true as const, as: "stored", path, by }]),
        sent.call,
      ],
    }),
  ];
}

function sending(plan: RequestPlan, added: Readonly<Record<string, Template>>): RequestPlan {
  return { ...plan, call: { ...plan.call, body: { $merge: [plan.call.body ?? {}, added] } } };
}

interface ItemValue {
  readonly value: Template;
  /** The steps that create the referenced object. */
  readonly steps: readonly MakeStep[];
}

/** An item of a list: it references an existing object, so that the request creates none; else a unique text. */
function itemOf(context: ConformanceContext, described: Schema): ItemValue | undefined {
  const items = schemaParts(context.api, described).find((each) => each.items !== undefined)?.items;
  if (items === undefined) return undefined;
  const parts = schemaParts(context.api, items);
  const reference = parts.find((each) => each.reference !== undefined)?.reference;
  if (reference !== undefined && context.settings.fixtures[reference.to] !== undefined)
    return {
      value: { $get: `listed#/${reference.by ?? "id"}` },
      steps: [{ make: reference.to, as: "listed" }],
    };
  const isText = parts.some(({ types }) => types.includes("string"));
  return { value: isText ? { $unique: "label" } : schemaSample(context, items), steps: [] };
}

/** A value that matches the schema and the condition. */
function fittingValue(
  context: ConformanceContext,
  described: Schema,
  { item, condition }: { readonly item: ItemValue | undefined; readonly condition: Schema },
): Template {
  if (item !== undefined) return Array.from({ length: sizeLimits("items", [condition]).least ?? 0 }, () => item.value);
  return schemaSample(context, { ...condition, allOf: [described, ...(condition.allOf ?? [])] });
}

/** A value that a new object does not have. A protected flag is true by default, so the value is false. */
function otherValue(context: ConformanceContext, described: Schema, item: ItemValue | undefined): Template | undefined {
  if (item !== undefined) return [item.value];
  return schemaParts(context.api, described).some(({ types }) => types.includes("boolean")) ? false : undefined;
}
