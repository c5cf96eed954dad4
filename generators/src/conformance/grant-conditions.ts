import type { Case, MakeStep, Template } from "@plumbline/conformance-runtime";
import type { Grant, Operation, Shape } from "../model/api.js";
import { fieldAt, partsOf } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import { withGrants } from "./callers.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { askedOf, grantsOf, withHolders } from "./grantees.js";
import { planOf, type Plan } from "./plans.js";
import { refusedWith } from "./refused.js";
import { sampleOf } from "./samples.js";

/** Cases of grants with a condition, such as tags that only unrestricted users may set. */
export function conditionalCases(context: Context, operation: Operation): readonly Case[] {
  return operation.grants.flatMap((grant) => {
    if (grant.kind !== "unrestricted" || grant.when === undefined) return [];
    return fieldsAsking(grant).flatMap(([field, shape]) => casesOf(context, operation, { grant, field, shape }));
  });
}

interface Asking {
  readonly grant: Grant;
  readonly field: string;
  /** The condition's schema for the field. */
  readonly shape: Shape | undefined;
}

function fieldsAsking({ when }: Grant): readonly (readonly [field: string, shape: Shape | undefined])[] {
  const changed = (when?.changes ?? []).map((field) => [field, undefined] as const);
  const sent = (when?.body?.properties ?? []).map(({ name, shape }) => [name, shape] as const);
  return [...changed, ...sent].filter(([field]) => !/[./*]/.test(field));
}

function casesOf(context: Context, operation: Operation, { grant, field, shape }: Asking): readonly Case[] {
  const content = operation.body && jsonContent(operation.body.contents);
  const described = content && fieldAt(context.api, content.shape, [field]);
  if (described === undefined) return [];
  const isChange = shape === undefined;
  const item = itemOf(context, described);
  const value = isChange
    ? otherValue(context, described, item)
    : fittingValue(context, described, { item, condition: shape });
  if (value === undefined) return [];
  const planned = (objects: "own" | "shared"): Plan => {
    const plan = withHolders(context, planOf(context, operation, { objects }));
    return { ...plan, before: [...plan.before, ...(item?.steps ?? [])] };
  };
  const shared = planned("shared");
  const own = planned(isChange ? "own" : "shared");
  const asked = askedOf(context, shared);
  if (asked === undefined) return [];
  const forbidden = refusedWith(context, operation, { id: grant.error, usual: [403] });
  const held = grantsOf(context, asked, { others: true });
  const requirements = requirementsOf(grant.sources);
  const restricted = withGrants(sending(shared, { [field]: value }), held);
  const result: Case[] = [];
  if (restricted !== undefined)
    result.push(
      caseOf(context, {
        operation,
        kind: "grants",
        about: ["grants", `unrestricted-${field}`, "restricted"],
        title: `${operation.name} with ${field} rejects a restricted user`,
        requirements: [...requirements, ...forbidden.requirements],
        needs: shared.needs,
        steps: [...restricted.before, { ...restricted.call, expect: forbidden.expect }],
      }),
    );
  const open = sending(own, { [field]: value });
  result.push(
    caseOf(context, {
      operation,
      kind: "grants",
      about: ["grants", `unrestricted-${field}`, "unrestricted"],
      title: `${operation.name} with ${field} is allowed to an unrestricted user`,
      requirements,
      needs: own.needs,
      alone: own.alone,
      steps: [...open.before, open.call],
    }),
  );
  const same = isChange ? sameCase(context, own, { grant, field }) : undefined;
  return same === undefined ? result : [...result, same];
}

/** An update with the stored value changes nothing, so it is allowed. */
function sameCase(context: Context, plan: Plan, { grant, field }: Omit<Asking, "shape">): Case | undefined {
  const { operation } = plan;
  const read = context.api.operations.find((each) => each.method === "GET" && each.path === operation.path);
  const asked = askedOf(context, plan);
  if (read === undefined || asked === undefined) return undefined;
  const restricted = withGrants(
    sending(plan, { [field]: { $get: `stored#/body/${field}` } }),
    grantsOf(context, asked),
  );
  if (restricted === undefined) return undefined;
  const { path, by } = restricted.call;
  return caseOf(context, {
    operation,
    kind: "grants",
    about: ["grants", `unrestricted-${field}`, "same"],
    title: `${operation.name} with the stored ${field} is allowed to a restricted user`,
    requirements: requirementsOf(grant.sources),
    needs: plan.needs,
    steps: [
      ...restricted.before,
      {
        call: read.name,
        given: true,
        as: "stored",
        ...(path === undefined ? {} : { path }),
        ...(by === undefined ? {} : { by }),
      },
      restricted.call,
    ],
  });
}

function sending(plan: Plan, added: Readonly<Record<string, Template>>): Plan {
  return { ...plan, call: { ...plan.call, body: { $merge: [plan.call.body ?? {}, added] } } };
}

interface Item {
  readonly value: Template;
  /** The steps that create the referenced object. */
  readonly steps: readonly MakeStep[];
}

/** An item of a list: it references an existing object, so that the request creates none; else a unique text. */
function itemOf(context: Context, described: Shape): Item | undefined {
  const items = partsOf(context.api, described).find((each) => each.items !== undefined)?.items;
  if (items === undefined) return undefined;
  const parts = partsOf(context.api, items);
  const reference = parts.find((each) => each.reference !== undefined)?.reference;
  if (reference !== undefined && context.settings.recipes[reference.to] !== undefined)
    return {
      value: { $get: `listed#/${reference.by ?? "id"}` },
      steps: [{ make: reference.to, as: "listed" }],
    };
  const isText = parts.some(({ types }) => types.includes("string"));
  return { value: isText ? { $unique: "label" } : sampleOf(context, items), steps: [] };
}

/** A value that matches the schema and the condition. */
function fittingValue(
  context: Context,
  described: Shape,
  { item, condition }: { readonly item: Item | undefined; readonly condition: Shape },
): Template {
  if (item !== undefined) return Array.from({ length: condition.minItems ?? 0 }, () => item.value);
  return sampleOf(context, { ...condition, allOf: [described, ...(condition.allOf ?? [])] });
}

/** A value that a new object does not have. A protected flag is true by default, so the value is false. */
function otherValue(context: Context, described: Shape, item: Item | undefined): Template | undefined {
  if (item !== undefined) return [item.value];
  return partsOf(context.api, described).some(({ types }) => types.includes("boolean")) ? false : undefined;
}
