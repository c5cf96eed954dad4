import type { MakeStep, Template } from "@plumbline/conformance-runtime";
import { isJsonObject, ownValue, type Schema, schemaParts } from "@plumbline/kit/model";
import type { ConformanceContext } from "../context/context.js";
import { objectName } from "../context/object-name.js";
import { isTemplateList } from "../values/partial-evaluation.js";
import { parentsOfObject, replacesExisting } from "./object-sources.js";

/** A body with a value, and the value's location, such as `disks.0`. */
export interface BodyWithReference {
  readonly body: Template;
  readonly location: string;
}

export interface ReferencePlacement {
  readonly body: Template | undefined;
  readonly schema: Schema;
  /** `*` is an item of a list, or a field of a map. */
  readonly pointer: readonly string[];
  readonly value: Template;
  /** An item before the value in the same list. */
  readonly precedingItem?: Template | undefined;
}

/** Sets a value in a body and keeps its siblings. */
export function placeReference(
  { api }: ConformanceContext,
  { body, schema, pointer, value, precedingItem }: ReferencePlacement,
): BodyWithReference | undefined {
  const put = (base: Template | undefined, at: Schema, rest: readonly string[]): BodyWithReference | undefined => {
    const [token, ...more] = rest;
    if (token === undefined) return { body: value, location: "" };
    const parts = schemaParts(api, at);
    const fields = parts.flatMap(({ properties = [] }) => properties);
    const items = parts.find((each) => each.items !== undefined)?.items;
    if (token === "*" && items !== undefined) {
      const list = isTemplateList(base) ? base : [];
      const before = more.length === 0 ? (precedingItem === undefined ? [] : [precedingItem]) : [];
      const inner = put(more.length === 0 ? undefined : list[0], items, more);
      if (inner === undefined) return undefined;
      const after = more.length === 0 ? [] : list.slice(1);
      return { body: [...before, inner.body, ...after], location: joined(String(before.length), inner.location) };
    }
    const map = parts.find((each) => each.additionalProperties !== undefined)?.additionalProperties;
    const key = token === "*" ? (fields[0]?.name ?? "a") : token;
    const child = fields.find(({ name }) => name === key)?.schema ?? (token === "*" ? map : undefined);
    if (child === undefined) return undefined;
    const record = isJsonObject(base) ? base : {};
    const inner = put(record[key], child, more);
    if (inner === undefined) return undefined;
    return { body: bodyWithFields(record, { [key]: inner.body }), location: joined(key, inner.location) };
  };
  return put(body, schema, pointer);
}

/** A body with additional fields. */
export function bodyWithFields(body: Template | undefined, fields: Readonly<Record<string, Template>>): Template {
  if (body === undefined) return fields;
  return isJsonObject(body) && !isTemplateOperator(body) ? { ...body, ...fields } : { $merge: [body, fields] };
}

/** True for a template operator. */
function isTemplateOperator(record: Readonly<Record<string, Template>>): boolean {
  return Object.keys(record).some((each) => each.startsWith("$"));
}

/** How to create an object that a case references outside of its path. */
export interface CreationOptions {
  readonly resource: string;
  readonly as: string;
  readonly by?: "other-account";
  readonly isOwn?: true;
  /** The fixture, if it is not the one of the resource: `Book@in-repair`. */
  readonly fixture?: string;
  /** Names of possible parents, by resource. */
  readonly parents?: Readonly<Record<string, string>>;
}

/** Steps that create an object and its parents. Undefined without a fixture. */
export function creationSteps(context: ConformanceContext, making: CreationOptions): readonly MakeStep[] | undefined {
  const { resource, as, by, isOwn, parents = {} } = making;
  const outers = parentsOfObject(context, resource);
  if (outers === undefined) return undefined;
  const whose = by === undefined ? {} : { by };
  const before: MakeStep[] = [];
  const inputs = Object.create(null) as Record<string, Template>;
  for (const outer of outers) {
    const existing = ownValue(parents, outer);
    const name = existing ?? `${as}${outer}`;
    if (existing === undefined) {
      const ownership = replacesExisting(context, resource) ? { isOwn: true as const } : {};
      const steps = creationSteps(context, { resource: outer, as: name, parents, ...ownership, ...whose });
      if (steps === undefined) return undefined;
      before.push(...steps);
    }
    inputs[outer] = { $get: name };
  }
  return [
    ...before,
    {
      make: making.fixture ?? resource,
      as,
      ...(Object.keys(inputs).length === 0 ? {} : { of: inputs }),
      ...(isOwn === undefined ? {} : { fresh: isOwn }),
      ...whose,
    },
  ];
}

/** True when an object can be created within a given parent. */
export function canBeCreatedWithin(context: ConformanceContext, resource: string, outer: string): boolean {
  return parentsOfObject(context, resource)?.includes(outer) ?? false;
}

/** The name of a referenced object in a case. */
export function createdObjectName(resource: string): string {
  return `${objectName(resource)}Named`;
}

function joined(key: string, rest: string): string {
  return rest === "" ? key : `${key}.${rest}`;
}
