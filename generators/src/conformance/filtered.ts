import type { MakeStep } from "@plumbline/conformance-runtime";
import type { Operation, Parameter, Shape } from "../model/api.js";
import { fieldsOf, partsOf } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import { requirementsOf, type Context } from "./context.js";
import { planOf, type Plan } from "./plans.js";
import { recipesOf } from "./recipes.js";
import type { FilteredItems } from "./settings.js";

/** A list with a filter, and two items to distinguish. */
export interface FilteredList {
  readonly context: Context;
  readonly operation: Operation;
  /** The filter parameter. */
  readonly parameter: Parameter;
  /** The page field with the items. */
  readonly items: string;
  readonly plan: Plan;
  readonly fields: readonly FilteredField[];
  /** Item fields that the filter rejects. */
  readonly others: readonly string[];
  /** The steps that create two items. Empty without a recipe. */
  readonly makes: readonly MakeStep[];
  /** The field that identifies the items. */
  readonly key: string;
}

export interface FilteredField {
  readonly name: string;
  readonly pointer: readonly string[];
  readonly type: "string" | "number" | "boolean" | "array";
  readonly isTime: boolean;
  readonly isNullable: boolean;
  readonly operators: readonly string[] | undefined;
  readonly requirements: readonly string[];
  /** True when the items have different values; ordered when one has less. */
  readonly differs: boolean;
  readonly isOrdered: boolean;
  /** The items in the order of their values. */
  readonly less: string;
  readonly more: string;
  /** True when both items have the field. */
  readonly isPresent: boolean;
}

/** Reads the filter of a list. Undefined for a list without a filter. */
export function filteredList(context: Context, operation: Operation): FilteredList | undefined {
  const { pagination } = operation;
  const reply = operation.replies.find(({ status }) => status === 200);
  const content = reply === undefined ? undefined : jsonContent(reply.contents);
  const parameter = operation.parameters.find(
    ({ in: place, mediaType, shape }) =>
      (place === "header" || place === "query") && mediaType !== undefined && takesFilter(context, shape),
  );
  if (pagination === undefined || content === undefined || parameter === undefined) return undefined;
  const { items } = pagination.envelope;
  const settings = context.settings.filters?.[operation.name];
  const found = fieldsOf(context.api, content.shape).filter(
    ({ pointer, shape }) => pointer[0] === items && pointer[1] === "*" && shape.filterable !== undefined,
  );
  const fields = new Map(
    found.map(({ pointer, shape }) => {
      const name = pointer.slice(2).join(".");
      return [name, fieldOf(context, { name, pointer: pointer.slice(2), shape }, settings)] as const;
    }),
  );
  if (fields.size === 0) return undefined;
  const plan = planOf(context, operation, { objects: "shared" });
  const resource = context.api.resources.find((each) => each.list === operation.name);
  const item = partsOf(context.api, content.shape).flatMap(({ properties = [] }) =>
    properties.filter(({ name }) => name === items).flatMap(({ shape }) => shape.items ?? []),
  );
  const shown = item.flatMap((shape) => partsOf(context.api, shape)).flatMap(({ properties = [] }) => properties);
  return {
    context,
    operation,
    parameter,
    items,
    plan,
    fields: [...fields.values()],
    others: [...new Set(shown.map(({ name }) => name))].filter((name) => !fields.has(name)),
    makes: resource === undefined ? [] : makesOf(context, { plan, resource: resource.name, operation }),
    key: shown.some(({ name }) => name === "id") ? "id" : (shown[0]?.name ?? "id"),
  };
}

/** A filter has operators, which begin with a plus, and field names. */
function takesFilter({ api }: Context, shape: Shape): boolean {
  return partsOf(api, shape).some(({ properties = [] }) => properties.some(({ name }) => name === "+and"));
}

function fieldOf(
  { api }: Context,
  { name, pointer, shape }: { readonly name: string; readonly pointer: readonly string[]; readonly shape: Shape },
  settings: FilteredItems | undefined,
): FilteredField {
  const parts = partsOf(api, shape);
  const types = new Set(parts.flatMap((part) => part.types));
  const type = types.has("array")
    ? "array"
    : types.has("integer") || types.has("number")
      ? "number"
      : types.has("boolean")
        ? "boolean"
        : "string";
  const isLater = settings?.later?.includes(name) ?? false;
  const isOrdered = isLater || (settings?.differ.includes(name) ?? false);
  return {
    name,
    pointer,
    type,
    isTime: parts.some(({ format }) => format === "date-time"),
    isNullable: types.has("null"),
    operators: shape.filterable?.operators,
    requirements: requirementsOf(shape.sources),
    differs: isOrdered || (settings?.distinct?.includes(name) ?? false),
    isOrdered,
    less: isLater ? "greater" : "lesser",
    more: isLater ? "lesser" : "greater",
    isPresent: settings?.present?.includes(name) ?? false,
  };
}

function makesOf(
  context: Context,
  { plan, resource, operation }: { readonly plan: Plan; readonly resource: string; readonly operation: Operation },
): readonly MakeStep[] {
  const recipes = recipesOf(context);
  const of = Object.fromEntries(
    plan.before.flatMap((step) => ("make" in step ? [[step.make, { $get: step.as }] as const] : [])),
  );
  const configured = context.settings.filters?.[operation.name];
  // The greater item is created first, so that the default order differs from an ascending one.
  return (["greater", "lesser"] as const).flatMap((as): readonly MakeStep[] => {
    const { make = resource, with: laid } = configured?.[as] ?? {};
    if (recipes[make] === undefined) return [];
    return [
      {
        make,
        as,
        ...(Object.keys(of).length === 0 ? {} : { of }),
        // Without different fields, two names keep the items apart.
        ...(laid === undefined
          ? configured === undefined && as === "lesser"
            ? { fresh: true as const }
            : {}
          : { with: laid }),
      },
    ];
  });
}
