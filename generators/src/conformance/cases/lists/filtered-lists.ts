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

/** A list with a filter, and two items to tell apart: one with lesser values, and one with greater ones. */
export interface FilteredList {
  readonly context: ConformanceContext;
  readonly operation: Operation;
  /** The filter parameter. */
  readonly parameter: Parameter;
  /** The field of a page that has the items. */
  readonly itemsField: string;
  readonly plan: RequestPlan;
  readonly fields: readonly FilteredField[];
  /** Item fields that the filter rejects. */
  readonly unfilterableFields: readonly string[];
  /** The steps that create the items. An item without a fixture has none. */
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
  /** True when the items have different values. */
  readonly differs: boolean;
  /** True when one value is less than the other. */
  readonly isOrdered: boolean;
  /** The alias of the created item with the lesser value. */
  readonly lesserAlias: string;
  /** The alias of the created item with the greater value. */
  readonly greaterAlias: string;
  /** True when both items have the field. */
  readonly isAlwaysPresent: boolean;
  /** True when no body that creates the object has the field. */
  readonly isSetByServer: boolean;
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
  const creationFields = resource === undefined ? new Set<string>() : fieldsOfCreators(context, resource);
  const fields = new Map(
    filterable.map(({ pointer, schema }) => {
      const name = pointer.slice(2).join(".");
      return [
        name,
        describeField(context, { name, pointer: pointer.slice(2), schema, creationFields }, settings),
      ] as const;
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
    itemsField: items,
    plan,
    fields: [...fields.values()],
    unfilterableFields: [...new Set(names)].filter((name) => !fields.has(name)),
    createSteps: resource === undefined ? [] : createItemSteps(context, { plan, resource: resource.name, operation }),
    identifyingField: names.includes("id") ? "id" : (names[0] ?? "id"),
  };
}

/** The header that filters a list to one object, if there is one. Objects that no operation deletes may have filled the first page. */
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

/** Only filters have the operator `+and`. */
function acceptsFilter({ api }: ConformanceContext, schema: Schema): boolean {
  return schemaParts(api, schema).some(({ properties = [] }) => properties.some(({ name }) => name === "+and"));
}

function describeField(
  { api }: ConformanceContext,
  {
    name,
    pointer,
    schema,
    creationFields,
  }: {
    readonly name: string;
    readonly pointer: readonly string[];
    readonly schema: Schema;
    /** The fields of the bodies that create the object. */
    readonly creationFields: ReadonlySet<string>;
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
  // A field such as `created` is greater in the item that is created last, which is the lesser one.
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
    lesserAlias: isLater ? "greater" : "lesser",
    greaterAlias: isLater ? "lesser" : "greater",
    isAlwaysPresent: settings?.present?.includes(name) ?? false,
    isSetByServer: !creationFields.has(pointer[0] ?? ""),
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
    const { fixture = resource, with: values } = configured?.[as] ?? {};
    if (fixtures[fixture] === undefined) return [];
    return [
      {
        make: fixture,
        as,
        ...(Object.keys(inputs).length === 0 ? {} : { of: inputs }),
        // Without configured values, the second item gets new ones, so that it is not the first one again.
        ...(values === undefined
          ? configured === undefined && as === "lesser"
            ? { fresh: true as const }
            : {}
          : { with: values }),
      },
    ];
  });
}
