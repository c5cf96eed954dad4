import type { CallStep, Case, Expect, Template } from "@plumbline/conformance-runtime";
import { partsOf } from "../model/fields.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { isPlainObject, isTemplateList } from "./concrete.js";
import { failing } from "./failing.js";
import { filteredList, type FilteredField, type FilteredList } from "./filtered.js";
import { failureOf, refusedWith } from "./refused.js";

/** Each field that a list can be filtered and ordered by, with each operator that its type allows, and filters that are none. */
export function filterCases(context: Context): readonly Case[] {
  return context.api.operations.flatMap((operation) => {
    const list = filteredList(context, operation);
    if (list === undefined) return [];
    return [
      ...list.fields.flatMap((field) => fieldCases(list, field)),
      ...joinedCases(list),
      ...unorderedCases(list),
      ...refusedCases(list),
    ];
  });
}

// One field

interface Expected {
  readonly operator: string;
  readonly what: string;
  /** What the filter is, by what it asks of the field. */
  readonly condition: Template;
  /** Which of the two items are in the list; those that are not named may be or not. */
  readonly shows?: readonly string[];
  readonly hides?: readonly string[];
  /** What every item's field is, as JSON Schema. */
  readonly every?: Template;
}

function fieldCases(list: FilteredList, field: FilteredField): readonly Case[] {
  if (list.makes.length < 2) return [];
  const allowed = (operator: string): boolean => operator === "+eq" || (field.operators?.includes(operator) ?? true);
  return [
    ...expectedOf(list, field)
      .filter(({ operator }) => allowed(operator))
      .map((expected) => filterCase(list, field, expected)),
    ...(field.type === "array" ? [] : orderCases(list, field)),
  ];
}

/** The beginning of what the lesser item was made with, in capitals; undefined where that is no text, or no other than itself. */
function capitalsOf({ makes }: FilteredList, { pointer, less }: FilteredField): string | undefined {
  const [name = "", ...deeper] = pointer;
  const laid = makes.find(({ as }) => as === less)?.with;
  const value = deeper.length === 0 && isPlainObject(laid) ? laid[name] : undefined;
  const parts = isPlainObject(value) ? value["$text"] : undefined;
  const [text] = parts !== undefined && isTemplateList(parts) ? parts : [value];
  return typeof text === "string" && text.toUpperCase() !== text ? text.toUpperCase() : undefined;
}

function expectedOf(list: FilteredList, field: FilteredField): readonly Expected[] {
  const capitals = capitalsOf(list, field);
  const { pointer, type, differs, isOrdered, isNullable, isTime, less, more } = field;
  // What is within something else is not there where that is not.
  if (pointer.length > 1 && !differs && !field.isPresent) return [];
  const at = (item: string): Template => ({ $get: `${item}#/${pointer.join("/")}${type === "array" ? "/0" : ""}` });
  const [lesser, greater] = [at(less), at(more)];
  const others = differs ? [more] : [];
  const compares = (type === "number" || isTime) && (isOrdered || !differs);
  const certain = !isNullable || isOrdered || field.isPresent;
  const holds = (schema: Template): Template => (type === "array" ? { contains: schema } : schema);
  return [
    {
      operator: "+eq",
      what: "a value that it has",
      condition: lesser,
      shows: [less],
      hides: others,
      every: holds({ const: lesser }),
    },
    {
      operator: "+neq",
      what: "another value",
      condition: { "+neq": lesser },
      shows: others,
      hides: [less],
      every: { not: holds({ const: lesser }) },
    },
    ...((type === "string" || type === "array") && !isTime && certain
      ? [
          {
            operator: "+contains",
            what: "a text in it",
            condition: { "+contains": lesser },
            shows: [less],
            hides: others,
          },
          ...(capitals === undefined
            ? []
            : [
                {
                  operator: "+contains",
                  what: "a text in other letters",
                  condition: { "+contains": capitals },
                  shows: [less],
                },
              ]),
          {
            operator: "+contains",
            what: "a text that is not in it",
            condition: { "+contains": { $text: [lesser, "~"] } },
            hides: [less, more],
          },
        ]
      : []),
    ...(compares && certain
      ? [
          { operator: "+gt", what: "more than it", condition: { "+gt": lesser }, shows: others, hides: [less] },
          { operator: "+gte", what: "it or more", condition: { "+gte": lesser }, shows: [less, ...others] },
          { operator: "+lte", what: "it or less", condition: { "+lte": lesser }, shows: [less], hides: others },
          {
            operator: "+lt",
            what: "less than it",
            condition: { "+lt": differs ? greater : lesser },
            shows: differs ? [less] : [],
            hides: [differs ? more : less],
          },
        ]
      : []),
  ];
}

function filterCase(list: FilteredList, field: FilteredField, expected: Expected): Case {
  const { context, operation, plan, makes } = list;
  const { operator, what, condition, shows = [], hides = [], every } = expected;
  const each = every === undefined ? {} : within(field.pointer, every);
  const asked = operator === "+eq" ? "equals" : operator;
  // What fits may be more than a page has, where it is not narrowed to the two items.
  const narrow = operator === "+eq" ? undefined : narrowed(list);
  const own = { [field.name]: condition };
  const filter = narrow === undefined ? own : { "+and": [narrow, own] };
  return caseOf(context, {
    operation,
    kind: "filters",
    about: ["filter", field.name, operator, ...(operator === "+contains" ? [what.replaceAll(" ", "-")] : [])],
    title: `Filtered by ${field.name}, ${asked === "equals" ? "a value that it equals" : `${asked} ${what}`}`,
    requirements: [...field.requirements, ...requirementsOf(list.parameter.sources)],
    needs: plan.needs,
    steps: [...plan.before, ...makes, asking(list, filter, listing(list, { shows, hides, every: each }))],
  });
}

function orderCases(list: FilteredList, field: FilteredField): readonly Case[] {
  const { context, operation, plan, makes, parameter } = list;
  const by = (order: string): Record<string, Template> => ({ "+order_by": field.name, "+order": order });
  const narrow = narrowed(list);
  if (!field.isOrdered || narrow === undefined) return [];
  return (["asc", "desc"] as const).map((order) => {
    const items = order === "asc" ? [field.less, field.more] : [field.more, field.less];
    return caseOf(context, {
      operation,
      kind: "filters",
      about: ["order", field.name, order],
      title: `Ordered by ${field.name}, ${order === "asc" ? "the least first" : "the greatest first"}`,
      requirements: [...field.requirements, ...requirementsOf(parameter.sources)],
      needs: plan.needs,
      steps: [...plan.before, ...makes, asking(list, { ...narrow, ...by(order) }, exactly(list, items))],
    });
  });
}

/** Without an order, what has the lesser number comes first: what was made first. */
function unorderedCases(list: FilteredList): readonly Case[] {
  const { context, operation, plan, makes, parameter, key } = list;
  const narrow = narrowed(list);
  const resource = context.api.resources.find((each) => each.list === operation.name);
  const shape = resource === undefined ? undefined : context.shapes.get(resource.name);
  const named = shape?.properties?.find(({ name }) => name === key);
  if (narrow === undefined || named === undefined) return [];
  if (!partsOf(context.api, named.shape).some(({ types }) => types.includes("integer"))) return [];
  return [
    caseOf(context, {
      operation,
      kind: "filters",
      about: ["order", "none"],
      title: "Without an order, items come by ascending number",
      requirements: requirementsOf([...operation.sources, ...(parameter.sources ?? [])]),
      needs: plan.needs,
      steps: [...plan.before, ...makes, asking(list, narrow, exactly(list, ["greater", "lesser"]))],
    }),
  ];
}

// Several filters in one

function joinedCases(list: FilteredList): readonly Case[] {
  const { context, operation, plan, makes, parameter } = list;
  const field = list.fields.find(({ differs, type }) => differs && type !== "array");
  if (makes.length < 2 || field === undefined) return [];
  const at = (item: string): Template => ({ $get: `${item}#/${field.pointer.join("/")}` });
  const is = (item: string): Record<string, Template> => ({ [field.name]: at(item) });
  const about: readonly (readonly [string, string, Record<string, Template>, readonly string[]])[] = [
    ["or", "Either of two filters fits", { "+or": [is("lesser"), is("greater")] }, ["lesser", "greater"]],
    ["and", "Two filters that cannot both fit leave nothing", { "+and": [is("lesser"), is("greater")] }, []],
    [
      "nested",
      "Filters stand within filters",
      { "+or": [{ "+and": [is("lesser")] }, { "+and": [is("greater")] }] },
      ["lesser", "greater"],
    ],
    [
      "or-beside",
      "A field beside +or has to fit as well",
      { "+or": [is("lesser"), is("greater")], ...is("lesser") },
      ["lesser"],
    ],
  ];
  return about.map(([name, title, filter, shows]) => {
    const hides = ["lesser", "greater"].filter((each) => !shows.includes(each));
    return caseOf(context, {
      operation,
      kind: "filters",
      about: ["filter", name],
      title,
      requirements: requirementsOf(parameter.sources),
      needs: plan.needs,
      steps: [
        ...plan.before,
        ...makes,
        asking(
          list,
          filter,
          shows.length === 0
            ? { status: 200, body: { properties: { [list.items]: { maxItems: 0 } } } }
            : listing(list, { shows, hides, every: within(field.pointer, { enum: shows.map((item) => at(item)) }) }),
        ),
      ],
    });
  });
}

/** A filter that leaves the two items alone: by a field in which they differ from all others. */
function narrowed({ fields, context, operation }: FilteredList): Record<string, Template> | undefined {
  const only = context.settings.filters?.[operation.name]?.alone;
  const field = fields.find(({ name }) => name === only);
  if (field === undefined) return undefined;
  const at = (item: string): Template => ({
    [field.name]: { $get: `${item}#/${field.pointer.join("/")}${field.type === "array" ? "/0" : ""}` },
  });
  return { "+or": [at("lesser"), at("greater")] };
}

// Filters that are none

function refusedCases(list: FilteredList): readonly Case[] {
  const { context, operation, plan, parameter, fields, others } = list;
  const unfit = failureOf(context, operation, "not-filterable");
  const [field] = fields;
  if (field === undefined) return [];
  const notFilterable =
    unfit === undefined
      ? refusedWith(context, operation, { usual: [400, 422], field: parameter.name }).expect
      : failing(unfit);
  const broken = refusedWith(context, operation, { usual: [400, 422], field: parameter.name }).expect;
  const refused: readonly (readonly [string, string, Template, Expect])[] = [
    ...others.map(
      (name) =>
        [`${name}/not-filterable`, `The list cannot be filtered by ${name}`, { [name]: "1" }, notFilterable] as const,
    ),
    ["unknown-field", "There is no such field", { no_such_field: 1 }, notFilterable],
    ["order-unknown-field", "There is no such field to order by", { "+order_by": "no_such_field" }, notFilterable],
    ["no-json", "A filter is JSON", "{", broken],
    ["no-object", "A filter is an object", "[]", broken],
    ["unknown-operator", "There is no such operator", { [field.name]: { "+like": "a" } }, broken],
    ["unknown-word", "There is no such word", { "+not": [{}] }, broken],
    ["and-no-list", "+and takes a list", { "+and": {} }, broken],
    ["or-no-list", "+or takes a list", { "+or": "a" }, broken],
    ["order-no-direction", "There are two directions", { "+order_by": field.name, "+order": "up" }, broken],
  ];
  return refused.map(([about, title, filter, expect]) =>
    caseOf(context, {
      operation,
      kind: "filters",
      about: ["filter", ...about.split("/")],
      title,
      requirements: requirementsOf(parameter.sources),
      needs: plan.needs,
      alone: plan.alone,
      safe: plan.before.length === 0 && plan.call.by === undefined,
      steps: [...plan.before, asking(list, filter, expect)],
    }),
  );
}

// Steps

function asking({ plan, parameter, context, operation }: FilteredList, filter: Template, expect: Expect): CallStep {
  const { pagination } = operation;
  const size = operation.parameters.find(({ name }) => name === pagination?.size);
  const maximum = size && partsOf(context.api, size.shape).find((part) => part.maximum !== undefined)?.maximum;
  const place = parameter.in === "header" ? "headers" : "query";
  return {
    ...plan.call,
    query: { ...plan.call.query, ...(size === undefined || maximum === undefined ? {} : { [size.name]: maximum }) },
    [place]: { ...plan.call[place], [parameter.name]: filter },
    expect,
  };
}

/** A page that shows these items and not those, and of which every item is so. */
function listing(
  { items, key }: FilteredList,
  { shows, hides, every }: { readonly shows: readonly string[]; readonly hides: readonly string[]; every: Template },
): Expect {
  const has = (item: string): Template => ({
    contains: { properties: { [key]: { const: { $get: `${item}#/${key}` } } } },
  });
  return {
    status: 200,
    body: {
      properties: {
        [items]: { items: every, allOf: [...shows.map(has), ...hides.map((item) => ({ not: has(item) }))] },
      },
    },
  };
}

function exactly({ items, key }: FilteredList, shows: readonly string[]): Expect {
  const each = shows.map((item): Template => ({ properties: { [key]: { const: { $get: `${item}#/${key}` } } } }));
  return {
    status: 200,
    body: { properties: { [items]: { prefixItems: each, minItems: each.length, maxItems: each.length } } },
  };
}

function within(pointer: readonly string[], schema: Template): Template {
  return pointer.reduceRight((inner: Template, name) => ({ required: [name], properties: { [name]: inner } }), schema);
}
