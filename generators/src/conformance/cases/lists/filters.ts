import type { CallStep, Case, Expectation, Template } from "@plumbline/conformance-runtime";
import { schemaParts, sizeLimits, statedLimits } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { expectError, findOperationError, expectRejection } from "../../requests/expect-error.js";
import { isPlainObject, isTemplateList } from "../../values/partial-evaluation.js";
import { filteredList, type FilteredField, type FilteredList } from "./filtered-lists.js";

/** Cases of filters and orders: each field with each operator of its type, and invalid filters. */
export function filterCases(context: ConformanceContext): readonly Case[] {
  return context.api.operations.flatMap((operation) => {
    const list = filteredList(context, operation);
    if (list === undefined) return [];
    return [
      ...list.fields.flatMap((field) => fieldCases(list, field)),
      ...joinedCases(list),
      ...unorderedCases(list),
      ...rejectedFilterCases(list),
    ];
  });
}

// One field

interface FilterExpectation {
  readonly operator: string;
  readonly what: string;
  /** The filter as a title. */
  readonly condition: Template;
  /** The items that the list must have and must not have. */
  readonly shows?: readonly string[];
  readonly hides?: readonly string[];
  /** A JSON Schema for the field of every item. */
  readonly every?: Template;
}

function fieldCases(list: FilteredList, field: FilteredField): readonly Case[] {
  if (list.createSteps.length < 2) return [];
  const allowed = (operator: string): boolean => operator === "+eq" || (field.operators?.includes(operator) ?? true);
  return [
    ...expectedOf(list, field)
      .filter(({ operator }) => allowed(operator))
      .map((expected) => filterCase(list, field, expected)),
    ...(field.type === "array" ? [] : orderCases(list, field)),
  ];
}

/** A prefix of the lesser item's value in capitals. Undefined for a value that is not a string, or has no letters. */
function capitalsOf({ createSteps }: FilteredList, { pointer, lesserAlias }: FilteredField): string | undefined {
  const [name = "", ...deeper] = pointer;
  const values = createSteps.find(({ as }) => as === lesserAlias)?.with;
  const value = deeper.length === 0 && isPlainObject(values) ? values[name] : undefined;
  const parts = isPlainObject(value) ? value["$text"] : undefined;
  const [text] = parts !== undefined && isTemplateList(parts) ? parts : [value];
  return typeof text === "string" && text.toUpperCase() !== text ? text.toUpperCase() : undefined;
}

function expectedOf(list: FilteredList, field: FilteredField): readonly FilterExpectation[] {
  const capitals = capitalsOf(list, field);
  const { pointer, type, differs, isOrdered, isNullable, isTime, lesserAlias, greaterAlias } = field;
  // A nested field is absent when its parent is.
  if (pointer.length > 1 && !differs && !field.isAlwaysPresent) return [];
  const at = (item: string): Template => ({ $get: `${item}#/${pointer.join("/")}${type === "array" ? "/0" : ""}` });
  const [lesser, greater] = [at(lesserAlias), at(greaterAlias)];
  const others = differs ? [greaterAlias] : [];
  const compares = (type === "number" || isTime) && (isOrdered || !differs);
  const certain = !isNullable || isOrdered || field.isAlwaysPresent;
  const holds = (schema: Template): Template => (type === "array" ? { contains: schema } : schema);
  return [
    {
      operator: "+eq",
      what: "a value that it has",
      condition: lesser,
      shows: [lesserAlias],
      hides: others,
      every: holds({ const: lesser }),
    },
    {
      operator: "+neq",
      what: "another value",
      condition: { "+neq": lesser },
      shows: others,
      hides: [lesserAlias],
      every: { not: holds({ const: lesser }) },
    },
    ...((type === "string" || type === "array") && !isTime && certain
      ? [
          {
            operator: "+contains",
            what: "a text in it",
            condition: { "+contains": lesser },
            shows: [lesserAlias],
            // A value that only the server makes may happen to contain another: 192.0.2.1 is in 192.0.2.10.
            hides: field.isSetByServer ? [] : others,
          },
          ...(capitals === undefined
            ? []
            : [
                {
                  operator: "+contains",
                  what: "a text in other letters",
                  condition: { "+contains": capitals },
                  shows: [lesserAlias],
                },
              ]),
          {
            operator: "+contains",
            what: "a text that is not in it",
            condition: { "+contains": { $text: [lesser, "~"] } },
            hides: [lesserAlias, greaterAlias],
          },
        ]
      : []),
    ...(compares && certain
      ? [
          { operator: "+gt", what: "more than it", condition: { "+gt": lesser }, shows: others, hides: [lesserAlias] },
          { operator: "+gte", what: "it or more", condition: { "+gte": lesser }, shows: [lesserAlias, ...others] },
          { operator: "+lte", what: "it or less", condition: { "+lte": lesser }, shows: [lesserAlias], hides: others },
          {
            operator: "+lt",
            what: "less than it",
            condition: { "+lt": differs ? greater : lesser },
            shows: differs ? [lesserAlias] : [],
            hides: [differs ? greaterAlias : lesserAlias],
          },
        ]
      : []),
  ];
}

function filterCase(list: FilteredList, field: FilteredField, expected: FilterExpectation): Case {
  const { context, operation, plan, createSteps } = list;
  const { operator, what, condition, shows = [], hides = [], every } = expected;
  const each = every === undefined ? {} : within(field.pointer, every);
  // Without a restriction to the two items the matches may fill more than a page.
  const narrow = operator === "+eq" ? undefined : narrowed(list);
  const fieldFilter = { [field.name]: condition };
  const filter = narrow === undefined ? fieldFilter : { "+and": [narrow, fieldFilter] };
  return createCase(context, {
    operation,
    kind: "filters",
    idParts: ["filter", field.name, operator, ...(operator === "+contains" ? [what.replaceAll(" ", "-")] : [])],
    title: `Filtered by ${field.name}, ${operator === "+eq" ? "a value that it equals" : `${operator} ${what}`}`,
    requirements: [...field.requirements, ...requirementIds(list.parameter.sources)],
    requires: plan.requires,
    steps: [
      ...plan.setupSteps,
      ...createSteps,
      listWithFilter(list, filter, listing(list, { shows, hides, every: each })),
    ],
  });
}

function orderCases(list: FilteredList, field: FilteredField): readonly Case[] {
  const { context, operation, plan, createSteps, parameter } = list;
  const by = (order: string): Record<string, Template> => ({ "+order_by": field.name, "+order": order });
  const narrow = narrowed(list);
  if (!field.isOrdered || narrow === undefined) return [];
  return (["asc", "desc"] as const).map((order) => {
    const items = order === "asc" ? [field.lesserAlias, field.greaterAlias] : [field.greaterAlias, field.lesserAlias];
    return createCase(context, {
      operation,
      kind: "filters",
      idParts: ["order", field.name, order],
      title: `Ordered by ${field.name}, ${order === "asc" ? "the least first" : "the greatest first"}`,
      requirements: [...field.requirements, ...requirementIds(parameter.sources)],
      requires: plan.requires,
      steps: [
        ...plan.setupSteps,
        ...createSteps,
        listWithFilter(list, { ...narrow, ...by(order) }, expectItems(list, items)),
      ],
    });
  });
}

/** Without an order, items have ascending ids: older items come first. */
function unorderedCases(list: FilteredList): readonly Case[] {
  const { context, operation, plan, createSteps, parameter, identifyingField } = list;
  const narrow = narrowed(list);
  const resource = context.api.resources.find((each) => each.list === operation.name);
  const schema = resource === undefined ? undefined : context.schemas.get(resource.name);
  const property = schema?.properties?.find(({ name }) => name === identifyingField);
  if (narrow === undefined || property === undefined) return [];
  if (!schemaParts(context.api, property.schema).some(({ types }) => types.includes("integer"))) return [];
  return [
    createCase(context, {
      operation,
      kind: "filters",
      idParts: ["order", "none"],
      title: "Without an order, items come by ascending number",
      requirements: requirementIds([...operation.sources, ...(parameter.sources ?? [])]),
      requires: plan.requires,
      steps: [
        ...plan.setupSteps,
        ...createSteps,
        listWithFilter(list, narrow, expectItems(list, ["greater", "lesser"])),
      ],
    }),
  ];
}

// Several filters in one

function joinedCases(list: FilteredList): readonly Case[] {
  const { context, operation, plan, createSteps, parameter } = list;
  const field = list.fields.find(({ differs, type }) => differs && type !== "array");
  if (createSteps.length < 2 || field === undefined) return [];
  const at = (item: string): Template => ({ $get: `${item}#/${field.pointer.join("/")}` });
  const is = (item: string): Record<string, Template> => ({ [field.name]: at(item) });
  const about: readonly (readonly [string, string, Record<string, Template>, readonly string[]])[] = [
    ["or", "+or matches either of two filters", { "+or": [is("lesser"), is("greater")] }, ["lesser", "greater"]],
    ["and", "Two contradicting filters match nothing", { "+and": [is("lesser"), is("greater")] }, []],
    [
      "nested",
      "Filters can be nested",
      { "+or": [{ "+and": [is("lesser")] }, { "+and": [is("greater")] }] },
      ["lesser", "greater"],
    ],
    [
      "or-beside",
      "A field beside +or must match as well",
      { "+or": [is("lesser"), is("greater")], ...is("lesser") },
      ["lesser"],
    ],
  ];
  return about.map(([name, title, filter, shows]) => {
    const hides = ["lesser", "greater"].filter((each) => !shows.includes(each));
    return createCase(context, {
      operation,
      kind: "filters",
      idParts: ["filter", name],
      title,
      requirements: requirementIds(parameter.sources),
      requires: plan.requires,
      steps: [
        ...plan.setupSteps,
        ...createSteps,
        listWithFilter(
          list,
          filter,
          shows.length === 0
            ? { status: 200, body: { properties: { [list.itemsField]: statedLimits("items", { most: 0 }) } } }
            : listing(list, { shows, hides, every: within(field.pointer, { enum: shows.map((item) => at(item)) }) }),
        ),
      ],
    });
  });
}

/** A filter for the two items alone, by the field that identifies them. */
function narrowed({ fields, context, operation }: FilteredList): Record<string, Template> | undefined {
  const only = context.settings.filters?.[operation.name]?.identifyingField;
  const field = fields.find(({ name }) => name === only);
  if (field === undefined) return undefined;
  const at = (item: string): Template => ({
    [field.name]: { $get: `${item}#/${field.pointer.join("/")}${field.type === "array" ? "/0" : ""}` },
  });
  return { "+or": [at("lesser"), at("greater")] };
}

// Invalid filters

function rejectedFilterCases(list: FilteredList): readonly Case[] {
  const { context, operation, plan, parameter, fields, unfilterableFields } = list;
  const unfit = findOperationError(context, operation, "not-filterable");
  const [field] = fields;
  if (field === undefined) return [];
  const notFilterable =
    unfit === undefined
      ? expectRejection(context, operation, { defaultStatuses: [400, 422], field: parameter.name }).expect
      : expectError(unfit);
  const broken = expectRejection(context, operation, { defaultStatuses: [400, 422], field: parameter.name }).expect;
  const rejected: readonly (readonly [string, string, Template, Expectation])[] = [
    ...unfilterableFields.map(
      (name) =>
        [`${name}/not-filterable`, `The list cannot be filtered by ${name}`, { [name]: "1" }, notFilterable] as const,
    ),
    ["unknown-field", "An unknown field is rejected", { no_such_field: 1 }, notFilterable],
    [
      "order-unknown-field",
      "An unknown field to order by is rejected",
      { "+order_by": "no_such_field" },
      notFilterable,
    ],
    ["no-json", "A filter is JSON", "{", broken],
    ["no-object", "A filter is an object", "[]", broken],
    ["unknown-operator", "An unknown operator is rejected", { [field.name]: { "+like": "a" } }, broken],
    ["unknown-word", "An unknown key is rejected", { "+not": [{}] }, broken],
    ["and-no-list", "+and takes a list", { "+and": {} }, broken],
    ["or-no-list", "+or takes a list", { "+or": "a" }, broken],
    ["order-no-direction", "An unknown direction is rejected", { "+order_by": field.name, "+order": "up" }, broken],
  ];
  return rejected.map(([about, title, filter, expect]) =>
    createCase(context, {
      operation,
      kind: "filters",
      idParts: ["filter", ...about.split("/")],
      title,
      requirements: requirementIds(parameter.sources),
      requires: plan.requires,
      exclusive: plan.exclusive,
      readOnly: plan.setupSteps.length === 0 && plan.call.by === undefined,
      steps: [...plan.setupSteps, listWithFilter(list, filter, expect)],
    }),
  );
}

// Steps

function listWithFilter(
  { plan, parameter, context, operation }: FilteredList,
  filter: Template,
  expect: Expectation,
): CallStep {
  const { pagination } = operation;
  const size = operation.parameters.find(({ name }) => name === pagination?.size);
  const most = size && sizeLimits("number", schemaParts(context.api, size.schema)).most;
  const place = parameter.in === "header" ? "headers" : "query";
  return {
    ...plan.call,
    query: { ...plan.call.query, ...(size === undefined || most === undefined ? {} : { [size.name]: most }) },
    [place]: { ...plan.call[place], [parameter.name]: filter },
    expect,
  };
}

/** A schema for a page that has some items, lacks others, and in which each item matches. */
function listing(
  { itemsField, identifyingField }: FilteredList,
  { shows, hides, every }: { readonly shows: readonly string[]; readonly hides: readonly string[]; every: Template },
): Expectation {
  const has = (item: string): Template => ({
    contains: { properties: { [identifyingField]: { const: { $get: `${item}#/${identifyingField}` } } } },
  });
  return {
    status: 200,
    body: {
      properties: {
        [itemsField]: { items: every, allOf: [...shows.map(has), ...hides.map((item) => ({ not: has(item) }))] },
      },
    },
  };
}

function expectItems({ itemsField, identifyingField }: FilteredList, shows: readonly string[]): Expectation {
  const each = shows.map((item): Template => ({
    properties: { [identifyingField]: { const: { $get: `${item}#/${identifyingField}` } } },
  }));
  return {
    status: 200,
    body: {
      properties: {
        [itemsField]: { prefixItems: each, ...statedLimits("items", { least: each.length, most: each.length }) },
      },
    },
  };
}

function within(pointer: readonly string[], schema: Template): Template {
  return pointer.reduceRight((inner: Template, name) => ({ required: [name], properties: { [name]: inner } }), schema);
}
