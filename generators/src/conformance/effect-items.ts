import type { CallStep, Case, Template } from "@plumbline/conformance-runtime";
import type { Effect, Resource, Shape } from "../model/api.js";
import { fieldAt, partsOf } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import type { Context } from "./context.js";
import { effectCase, type Caused } from "./effect-cases.js";
import { having } from "./effect-values.js";
import { given, planOf, type Plan } from "./plans.js";

/** Cases of effects on list items: those that the body names, or all others. */
export function itemCases(context: Context, caused: Caused): readonly Case[] {
  const { operation, effect } = caused;
  const named = namedBy(effect);
  const body = operation.body && jsonContent(operation.body.contents)?.shape;
  if (named === undefined || body === undefined) return [];
  const items = itemsOf(context, body, named.list);
  const reference = items && fieldAt(context.api, items, [named.field])?.reference;
  const resource = context.resources.get(reference?.to ?? "");
  const shown = resource && shownIn(context, resource);
  const plan = planOf(context, operation, { objects: "own" });
  const sent = sentIn(plan, named.list);
  if (shown === undefined || sent.length === 0) return [];
  const by = plan.call.by === undefined ? {} : { by: plan.call.by };
  const listing = { read: { call: shown.list, ...by }, field: shown.field, id: reference?.by ?? "id" };
  const about = { plan, named, sent, listing };
  return effect.except === undefined ? namedCases(context, caused, about) : otherCases(context, caused, about);
}

interface Items {
  readonly plan: Plan;
  /** The list in the body, and the field of its items that references an object. */
  readonly named: { readonly list: string; readonly field: string };
  readonly sent: readonly Item[];
  /** The operation that lists the objects, the field of the list, and the field that identifies them. */
  readonly listing: { readonly read: CallStep; readonly field: string; readonly id: string };
}

type Item = Readonly<Record<string, Template>>;

function namedCases(context: Context, caused: Caused, { plan, named, sent, listing }: Items): readonly Case[] {
  const { read, field, id } = listing;
  const each = sent.flatMap((item): Template[] => {
    const values = valuesOf(caused.effect, item, named.list);
    const isNamed = having([id], { const: item[named.field] ?? null });
    return values === undefined ? [] : [{ contains: { allOf: [isNamed, values] } }];
  });
  if (each.length === 0) return [];
  const set = having([field], { allOf: each });
  return [
    effectCase(context, caused, {
      plan,
      title: caused.effect.summary ?? "the objects that its items name are set",
      steps: [
        given({ ...read, expect: { body: { not: set } } }),
        plan.call,
        { settle: true },
        { ...read, expect: { body: set } },
      ],
    }),
  ];
}

/** First sets other values, so that the change is visible. */
function otherCases(context: Context, caused: Caused, { plan, named, sent, listing }: Items): readonly Case[] {
  const { read, field, id } = listing;
  const values = valuesOf(caused.effect, {}, named.list);
  if (values === undefined) return [];
  const others = sent.map((item, index) => ({
    ...item,
    [named.field]: { $get: `all#/body/${field}/${sent.length + index}/${id}` },
  }));
  const ids = sent.map((item) => item[named.field] ?? null);
  const set = having([field], { items: { anyOf: [having([id], { enum: ids }), values] } });
  return [
    effectCase(context, caused, {
      plan,
      title: caused.effect.summary ?? "all objects except those that its items name are set",
      steps: [
        given({ ...read, as: "all" }),
        given({ ...plan.call, body: { [named.list]: others } }),
        given({ ...read, expect: { body: { not: set } } }),
        plan.call,
        { settle: true },
        { ...read, expect: { body: set } },
      ],
    }),
  ];
}

/** Parses a reference to items of a body list: the list, its items, and the field that references an object. */
function namedBy({ to = "", except }: Effect): Items["named"] | undefined {
  const [, list, field] = /^\$request\.body#\/(\w+)\/\*\/(\w+)$/.exec(except?.text ?? to) ?? [];
  return list === undefined || field === undefined ? undefined : { list, field };
}

function itemsOf({ api }: Context, body: Shape, list: string): Shape | undefined {
  const shape = fieldAt(api, body, [list]);
  return shape && partsOf(api, shape).find(({ items }) => items !== undefined)?.items;
}

function sentIn({ call: { body } }: Plan, list: string): readonly Item[] {
  const items = isItem(body) ? body[list] : undefined;
  return isList(items) ? items.filter(isItem) : [];
}

function isList(value: Template | undefined): value is readonly Template[] {
  return Array.isArray(value);
}

function isItem(value: Template | undefined): value is Item {
  return typeof value === "object" && value !== null && !isList(value);
}

function valuesOf({ values }: Effect, item: Item, list: string): Template | undefined {
  const fields = Object.entries(values).flatMap(([name, take]) => {
    if (take.kind === "value") return [having([name], { const: take.value })];
    const [first, each, field = ""] = take.kind === "from" ? take.from.pointer : [];
    const value = first === list && each === "*" ? item[field] : undefined;
    return value === undefined ? [] : [having([name], { const: value })];
  });
  return fields.length === 0 ? undefined : { allOf: fields };
}

function shownIn(context: Context, resource: Resource): { readonly list: string; readonly field: string } | undefined {
  const list = context.operations.get(resource.list ?? "");
  const shape = list?.replies.flatMap(({ contents }) => jsonContent(contents)?.shape ?? [])[0];
  if (list === undefined || shape === undefined || list.path.includes("{")) return undefined;
  const field = partsOf(context.api, shape)
    .flatMap(({ properties = [] }) => properties)
    .find((property) => partsOf(context.api, property.shape).some(({ items }) => items?.ref === resource.name));
  return field === undefined ? undefined : { list: list.name, field: field.name };
}
