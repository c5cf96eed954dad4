import type { CallStep, MakeStep, Template } from "@plumbline/conformance-runtime";
import {
  type Operation,
  type Parameter,
  type Resource,
  type Schema,
  collectFields,
  schemaParts,
  findJsonContent,
} from "@plumbline/kit/model";
import { requirementIds, type ConformanceContext } from "../../context/context.js";
import type { FilteredItems } from "../../context/settings.js";
import { creatorsOf } from "../../requests/created-resources.js";
import { fixturesOf } from "../../requests/fixtures.js";
import { inputsFrom, planRequest, type RequestPlan } from "../../requests/request-plan.js";

/** A list with a filter, and two items to distinguish. */
export interface FilteredList {
  readonly context: ConformanceContext;
  readonly operation: Operation;
  /** The filter parameter. */
  readonly parameter: Parameter;
  /** The page field with the items. */
  readonly items: string;
  readonly plan: RequestPlan;
  readonly fields: readonly FilteredField[];
  /** Item fields that the filter rejects. */
  readonly unfilterableFields: readonly string[];
  /** The steps that create two items. Empty without a fixture. */
  readonly createSteps: readonly MakeStep[];
  /** The field that identifies the items. */
  readonly identifyingField: string;
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
  readonly isAlwaysPresent: boolean;
  /** True when no request states its value. */
  readonly isServerMade: boolean;
}

/** Reads the filter of a list. Undefined for a list without a filter. */
export function filteredList(context: ConformanceContext, operation: Operation): FilteredList | undefined {
  const { pagination } = operation;
  const response = operation.responses.find(({ status }) => status === 200);
  const content = response === undefined ? undefined : findJsonContent(response.contents);
  const parameter = operation.parameters.find(
    ({ in: place, mediaType, schema }) =>
      (place === "header" || place === "query") && mediaType !== undefined && acceptsFilter(context, schema),
  );
  if (pagination === undefined || content === undefined || parameter === undefined) return undefined;
  const { items } = pagination.envelope;
  const settings = context.settings.filters?.[operation.name];
  const filterable = collectFields(context.api, content.schema).filter(
    ({ pointer, schema }) => pointer[0] === items && pointer[1] === "*" && schema.filterable !== undefined,
  );
  const resource = context.api.resources.find((each) => each.list === operation.name);
  const stated = resource === undefined ? new Set<string>() : fieldsOfCreators(context, resource);
  const fields = new Map(
    filterable.map(({ pointer, schema }) => {
      const name = pointer.slice(2).join(".");
      return [name, fieldOf(context, { name, pointer: pointer.slice(2), schema, stated }, settings)] as const;
    }),
  );
  if (fields.size === 0) return undefined;
  const plan = planRequest(context, operation, { objects: "shared" });
  const names = schemaParts(context.api, content.schema)
    .flatMap(({ properties = [] }) => properties.filter(({ name }) => name === items))
    .flatMap(({ schema }) => schema.items ?? [])
    .flatMap((schema) => schemaParts(context.api, schema))
    .flatMap(({ properties = [] }) => properties.map(({ name }) => name));
  return {
    context,
    operation,
    parameter,
    items,
    plan,
    fields: [...fields.values()],
    unfilterableFields: [...new Set(names)].filter((name) => !fields.has(name)),
    createSteps: resource === undefined ? [] : createItemSteps(context, { plan, resource: resource.name, operation }),
    identifyingField: names.includes("id") ? "id" : (names[0] ?? "id"),
  };
}

/** The header that filters a list to one object, if possible: objects that no operation deletes may fill more than a page. */
export function onlyWithId(
  context: ConformanceContext,
  list: Operation,
  { key, value }: { readonly key: string; readonly value: Template },
): Pick<CallStep, "headers"> {
  const filtered = filteredList(context, list);
  const isFilterable = filtered?.fields.some(({ name }) => name === key) === true;
  if (!isFilterable || filtered.parameter.in !== "header") return {};
  return { headers: { [filtered.parameter.name]: { $json: { [key]: value } } } };
}

/** A filter has operators, which begin with a plus, and field names. */
function acceptsFilter({ api }: ConformanceContext, schema: Schema): boolean {
  return schemaParts(api, schema).some(({ properties = [] }) => properties.some(({ name }) => name === "+and"));
}

function fieldOf(
  { api }: ConformanceContext,
  {
    name,
    pointer,
    schema,
    stated,
  }: {
    readonly name: string;
    readonly pointer: readonly string[];
    readonly schema: Schema;
    /** The fields that a creation states. */
    readonly stated: ReadonlySet<string>;
  },
  settings: FilteredItems | undefined,
): FilteredField {
  const parts = schemaParts(api, schema);
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
    operators: schema.filterable?.operators,
    requirements: requirementIds(schema.sources),
    differs: isOrdered || (settings?.distinct?.includes(name) ?? false),
    isOrdered,
    less: isLater ? "greater" : "lesser",
    more: isLater ? "lesser" : "greater",
    isAlwaysPresent: settings?.present?.includes(name) ?? false,
    isServerMade: !stated.has(pointer[0] ?? ""),
  };
}

/** The names of the fields in the bodies that create a resource. */
function fieldsOfCreators({ api }: ConformanceContext, resource: Resource): ReadonlySet<string> {
  const bodies = creatorsOf(api, resource).flatMap(({ requestBody }) => requestBody?.contents ?? []);
  const parts = bodies.flatMap(({ schema }) => schemaParts(api, schema));
  return new Set(parts.flatMap(({ properties = [] }) => properties.map(({ name }) => name)));
}

function createItemSteps(
  context: ConformanceContext,
  {
    plan,
    resource,
    operation,
  }: { readonly plan: RequestPlan; readonly resource: string; readonly operation: Operation },
): readonly MakeStep[] {
  const fixtures = fixturesOf(context);
  const inputs = inputsFrom(plan.setupSteps);
  const configured = context.settings.filters?.[operation.name];
  // The greater item is created first, so that the default order differs from an ascending one.
  return (["greater", "lesser"] as const).flatMap((as): readonly MakeStep[] => {
    const { fixture = resource, with: laid } = configured?.[as] ?? {};
    if (fixtures[fixture] === undefined) return [];
    return [
      {
        make: fixture,
        as,
        ...(Object.keys(inputs).length === 0 ? {} : { of: inputs }),
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
