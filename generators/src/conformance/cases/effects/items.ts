import type { CallStep, Case, Template } from "@plumbline/conformance-runtime";
import {
  type Effect,
  findField,
  findJsonContent,
  isJsonObject,
  type Resource,
  type Schema,
  schemaParts,
} from "@plumbline/kit/model";
import type { ConformanceContext } from "../../context/context.js";
import { setupStep, planRequest, type RequestPlan } from "../../requests/request-plan.js";
import { isTemplateList } from "../../values/partial-evaluation.js";
import { createEffectCase, type OperationEffect } from "./effect-cases.js";
import { schemaWithValue } from "./expression-values.js";

/** Cases of effects on list items: those that the body names, or all others. */
export function effectItemCases(context: ConformanceContext, caused: OperationEffect): readonly Case[] {
  const { operation, effect } = caused;
  const target = namedBy(effect);
  const body = operation.requestBody && findJsonContent(operation.requestBody.contents)?.schema;
  if (target === undefined || body === undefined) return [];
  const items = itemsOf(context, body, target.list);
  const reference = items && findField(context.api, items, [target.field])?.reference;
  const resource = context.resources.get(reference?.to ?? "");
  const objects = resource && listedObjects(context, resource);
  const plan = planRequest(context, operation, { objects: "own" });
  const sent = sentIn(plan, target.list);
  if (objects === undefined || sent.length === 0) return [];
  const by = plan.call.by === undefined ? {} : { by: plan.call.by };
  const listing = { read: { call: objects.list, ...by }, field: objects.field, id: reference?.by ?? "id" };
  const about = { plan, target, sent, listing };
  return effect.except === undefined ? namedCases(context, caused, about) : otherCases(context, caused, about);
}

interface ItemEffect {
  readonly plan: RequestPlan;
  /** The list in the body, and the field of its items that references an object. */
  readonly target: { readonly list: string; readonly field: string };
  readonly sent: readonly Item[];
  /** The operation that lists the objects, the field of the list, and the field that identifies them. */
  readonly listing: { readonly read: CallStep; readonly field: string; readonly id: string };
}

type Item = Readonly<Record<string, Template>>;

function namedCases(
  context: ConformanceContext,
  caused: OperationEffect,
  { plan, target, sent, listing }: ItemEffect,
): readonly Case[] {
  const { read, field, id } = listing;
  const each = sent.flatMap((item): Template[] => {
    const values = valuesOf(caused.effect, item, target.list);
    const isNamed = schemaWithValue([id], { const: item[target.field] ?? null });
    return values === undefined ? [] : [{ contains: { allOf: [isNamed, values] } }];
  });
  if (each.length === 0) return [];
  const set = schemaWithValue([field], { allOf: each });
  return [
    createEffectCase(context, caused, {
      plan,
      title: caused.effect.summary ?? "the objects that its items name are set",
      steps: [
        setupStep({ ...read, expect: { body: { not: set } } }),
        plan.call,
        { settle: true },
        { ...read, expect: { body: set } },
      ],
    }),
  ];
}

/** First sets other values, so that the change is visible. */
function otherCases(
  context: ConformanceContext,
  caused: OperationEffect,
  { plan, target, sent, listing }: ItemEffect,
): readonly Case[] {
  const { read, field, id } = listing;
  const values = valuesOf(caused.effect, {}, target.list);
  if (values === undefined) return [];
  const others = sent.map((item, index) => ({
    ...item,
    [target.field]: { $get: `all#/body/${field}/${sent.length + index}/${id}` },
  }));
  const ids = sent.map((item) => item[target.field] ?? null);
  const set = schemaWithValue([field], { items: { anyOf: [schemaWithValue([id], { enum: ids }), values] } });
  return [
    createEffectCase(context, caused, {
      plan,
      title: caused.effect.summary ?? "all objects except those that its items name are set",
      steps: [
        setupStep({ ...read, as: "all" }),
        setupStep({ ...plan.call, body: { [target.list]: others } }),
        setupStep({ ...read, expect: { body: { not: set } } }),
        plan.call,
        { settle: true },
        { ...read, expect: { body: set } },
      ],
    }),
  ];
}

/** Parses a reference to items of a body list: the list, its items, and the field that references an object. */
function namedBy({ to = "", except }: Effect): ItemEffect["target"] | undefined {
  const [, list, field] = /^\$request\.body#\/(\w+)\/\*\/(\w+)$/.exec(except?.text ?? to) ?? [];
  return list === undefined || field === undefined ? undefined : { list, field };
}

function itemsOf({ api }: ConformanceContext, body: Schema, list: string): Schema | undefined {
  const schema = findField(api, body, [list]);
  return schema && schemaParts(api, schema).find(({ items }) => items !== undefined)?.items;
}

function sentIn({ call: { body } }: RequestPlan, list: string): readonly Item[] {
  const items = isItem(body) ? body[list] : undefined;
  return isTemplateList(items) ? items.filter(isItem) : [];
}

function isItem(value: Template | undefined): value is Item {
  return isJsonObject(value);
}

function valuesOf({ values }: Effect, item: Item, list: string): Template | undefined {
  const fields = Object.entries(values).flatMap(([name, take]) => {
    if (take.kind === "value") return [schemaWithValue([name], { const: take.value })];
    const [first, each, field = ""] = take.kind === "from" ? take.from.pointer : [];
    const value = first === list && each === "*" ? item[field] : undefined;
    return value === undefined ? [] : [schemaWithValue([name], { const: value })];
  });
  return fields.length === 0 ? undefined : { allOf: fields };
}

function listedObjects(
  context: ConformanceContext,
  resource: Resource,
): { readonly list: string; readonly field: string } | undefined {
  const list = context.operations.get(resource.list ?? "");
  const schema = list?.responses.flatMap(({ contents }) => findJsonContent(contents)?.schema ?? [])[0];
  if (list === undefined || schema === undefined || list.path.includes("{")) return undefined;
  const field = schemaParts(context.api, schema)
    .flatMap(({ properties = [] }) => properties)
    .find((property) => schemaParts(context.api, property.schema).some(({ items }) => items?.ref === resource.name));
  return field === undefined ? undefined : { list: list.name, field: field.name };
}
