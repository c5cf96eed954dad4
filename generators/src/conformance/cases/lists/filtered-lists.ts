import type { CallStep, MakeStep, Template } from "@plumbline/conformance-runtime";
import {
  type FilterField,
  type FilterOperator,
  type FilterSyntax,
  type Operation,
  type OrderSyntax,
  type Parameter,
  type Property,
  type Resource,
  type Schema,
  collectFilterFields,
  schemaParts,
  findJsonContent,
} from "@plumbline/kit/model";
import { requirementIds, type ConformanceContext } from "../../context/context.js";
import type { FilteredItems } from "../../context/settings.js";
import { creatorsOf } from "../../requests/created-resources.js";
import { fixturesOf } from "../../requests/fixtures.js";
import { pathReferences } from "../../requests/object-chains.js";
import { inputsFrom, planRequest, type RequestPlan } from "../../requests/request-plan.js";
import { fieldsOfResources } from "../frame/frame-values.js";

/** A list with a filter, and two items to tell apart: one with lesser values, and one with greater ones. */
export interface FilteredList {
  readonly context: ConformanceContext;
  readonly operation: Operation;
  readonly syntax: FilterSyntax;
  readonly order: OrderSyntax | undefined;
  /** The parameter with the filter. Undefined if each field has its own. */
  readonly parameter: Parameter | undefined;
  /** The field of a page that has the items. Undefined for a list that is an array. */
  readonly itemsField: string | undefined;
  readonly plan: RequestPlan;
  readonly fields: readonly FilteredField[];
  /** Item fields that the filter rejects. */
  readonly unfilterableFields: readonly string[];
  /** The steps that create the items. An item without a fixture has none. */
  readonly createSteps: readonly MakeStep[];
  /** The field that identifies the items. */
  readonly identifyingField: string;
  /** True if the list has no items but those of the case. */
  readonly hasOnlyItems: boolean;
}

export interface FilteredField {
  readonly name: string;
  readonly pointer: readonly string[];
  readonly type: "string" | "number" | "boolean" | "array";
  readonly isTime: boolean;
  readonly isNullable: boolean;
  readonly operators: readonly FilterOperator[] | undefined;
  readonly canEqual: boolean;
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
  /** True when other items may lack the field. */
  readonly isOptional: boolean;
  /** True when no body that creates the object has the field. */
  readonly isSetByServer: boolean;
}

/** Reads the filter and the order of a list. Undefined for a list without both. */
export function filteredList(context: ConformanceContext, operation: Operation): FilteredList | undefined {
  const { pagination, filter, order, parameters } = operation;
  // A list that is ordered only: requests write no conditions.
  const syntax = filter ?? (order && ({ style: "query", operators: {} } as const));
  const response = operation.responses.find(({ status }) => status === 200);
  const content = response === undefined ? undefined : findJsonContent(response.contents);
  if (syntax === undefined || content === undefined) return undefined;
  const settings = context.settings.filters?.[operation.name];
  const resource = context.api.resources.find((each) => each.list === operation.name);
  const creationFields = resource === undefined ? new Set<string>() : fieldsOfCreators(context, resource);
  const itemsField = pagination?.envelope.items;
  const properties = itemProperties(context, content.schema, itemsField);
  const filterable = collectFilterFields(context.api, operation).map((field) =>
    filter === undefined ? { ...field, operators: [], canEqual: false } : field,
  );
  const plan = planRequest(context, operation, { objects: syntax.style === "json" ? "shared" : "own" });
  const createSteps =
    resource === undefined ? [] : createItemSteps(context, { plan, resource: resource.name, operation });
  const fields = filterable.flatMap((field) => {
    const [name = ""] = field.name.split(".");
    const isOptional = !properties.some((each) => each.name === name && each.required);
    const described = describeField(context, { field, creationFields, settings, isOptional });
    // What differs between the items, they have.
    const isSent = described.differs || (createSteps.length > 0 && createSteps.every(({ also = {} }) => name in also));
    // A value that may be absent cannot be compared with.
    return !isOptional || described.isAlwaysPresent || isSent ? [described] : [];
  });
  if (fields.length === 0) return undefined;
  const names = properties.map(({ name }) => name);
  return {
    context,
    operation,
    syntax,
    order,
    parameter: parameters.find((each) => each.in === filter?.parameter?.in && each.name === filter.parameter.name),
    itemsField,
    plan,
    fields,
    unfilterableFields: [...new Set(names)].filter((name) => !filterable.some((field) => field.name === name)),
    createSteps,
    identifyingField: names.includes("id") ? "id" : (names[0] ?? "id"),
    hasOnlyItems: syntax.style !== "json" && pathReferences(operation).length > 0,
  };
}

/** The properties of the items of a list. */
function itemProperties(
  { api }: ConformanceContext,
  content: Schema,
  itemsField: string | undefined,
): readonly Property[] {
  const lists =
    itemsField === undefined
      ? [content]
      : schemaParts(api, content)
          .flatMap(({ properties = [] }) => properties.filter(({ name }) => name === itemsField))
          .map(({ schema }) => schema);
  return lists
    .flatMap((list) => schemaParts(api, list))
    .flatMap(({ items }) => items ?? [])
    .flatMap((schema) => schemaParts(api, schema))
    .flatMap(({ properties = [] }) => properties);
}

/** The header that filters a list to one object, if there is one. Objects that no operation deletes may have filled the first page. */
export function onlyWithId(
  context: ConformanceContext,
  list: Operation,
  { key, value }: { readonly key: string; readonly value: Template },
): Pick<CallStep, "headers"> {
  const filtered = filteredList(context, list);
  const isFilterable = filtered?.fields.some(({ name }) => name === key) === true;
  if (!isFilterable || filtered.parameter?.in !== "header") return {};
  return { headers: { [filtered.parameter.name]: { $json: { [key]: value } } } };
}

function describeField(
  { api }: ConformanceContext,
  {
    field: { name, type, operators, schemas, canEqual },
    creationFields,
    settings,
    isOptional,
  }: {
    readonly field: FilterField;
    /** The fields of the bodies that create the object. */
    readonly creationFields: ReadonlySet<string>;
    readonly settings: FilteredItems | undefined;
    readonly isOptional: boolean;
  },
): FilteredField {
  const parts = schemas.slice(-1).flatMap((schema) => schemaParts(api, schema));
  const pointer = name.split(".");
  // A field such as `created` is greater in the item that is created last, which is the lesser one.
  const isLater = settings?.later?.includes(name) ?? false;
  const isOrdered = isLater || (settings?.differ.includes(name) ?? false);
  return {
    name,
    pointer,
    type: type === "object" ? "string" : type,
    isTime: parts.some(({ format }) => format === "date-time"),
    isNullable: parts.some(({ types }) => types.includes("null")),
    operators,
    canEqual,
    requirements: requirementIds(schemas.at(-1)?.sources),
    differs: isOrdered || (settings?.distinct?.includes(name) ?? false),
    isOrdered,
    lesserAlias: isLater ? "greater" : "lesser",
    greaterAlias: isLater ? "lesser" : "greater",
    isAlwaysPresent: settings?.present?.includes(name) ?? false,
    isOptional,
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
    const step = { make: fixture, as, ...(Object.keys(inputs).length > 0 && { of: inputs }) };
    if (configured !== undefined) return [{ ...step, ...(values !== undefined && { with: values }) }];
    // Without settings, the second item gets new values, so that it is not the first one again.
    const also = fieldsOfResources(context)[fixture];
    return [{ ...step, ...(as === "lesser" && { fresh: true }), ...(also && { also }) }];
  });
}
