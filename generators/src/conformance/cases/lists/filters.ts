import type { Case, Expectation, Template } from "@plumbline/conformance-runtime";
import { hasFieldParameters, schemaParts, statedLimits } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { expectError, findOperationError, expectRejection } from "../../requests/expect-error.js";
import { isPlainObject, isTemplateList } from "../../values/partial-evaluation.js";
import { dividedListCases } from "./divided-lists.js";
import {
  isWritten,
  listWith,
  listWithFilter,
  listWithQuery,
  narrowing,
  spellingOf,
  valueOf,
  type ConditionOperator,
  type ListRequest,
} from "./filter-requests.js";
import { filteredList, type FilteredField, type FilteredList } from "./filtered-lists.js";

/** Cases of filters and orders: each field with each operator of its type, and invalid filters. */
export function filterCases(context: ConformanceContext): readonly Case[] {
  return context.api.operations.flatMap((operation) => {
    const list = filteredList(context, operation);
    if (list === undefined) return [];
    return [
      ...list.fields.flatMap((field) => fieldCases(list, field)),
      ...dividedListCases(list),
      ...joinedCases(list),
      ...unorderedCases(list),
      ...rejectedFilterCases(list),
    ];
  });
}

// One field

interface FilterExpectation {
  readonly operator: ConditionOperator;
  readonly what: string;
  readonly operand: Template;
  /** The items that the list must have and must not have. */
  readonly shows?: readonly string[];
  readonly hides?: readonly string[];
  /** A JSON Schema for the field of every item. */
  readonly every?: Template;
}

function fieldCases(list: FilteredList, field: FilteredField): readonly Case[] {
  if (list.createSteps.length < 2) return [];
  return [
    ...expectedOf(list, field)
      .filter(({ operator }) => isWritten(list, field, operator))
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
  const { pointer, type, differs, isOrdered, isNullable, isTime, lesserAlias, greaterAlias } = field;
  // A nested field is absent when its parent is.
  if (pointer.length > 1 && !differs && !field.isAlwaysPresent) return [];
  const lesser = valueOf(field, lesserAlias);
  const others = differs ? [greaterAlias] : [];
  const compares = (type === "number" || isTime) && (isOrdered || !differs);
  const certain = !isNullable || isOrdered || field.isAlwaysPresent;
  const holds = (schema: Template): Template => (type === "array" ? { contains: schema } : schema);
  return [
    {
      operator: "eq",
      what: "a value that it has",
      operand: lesser,
      shows: [lesserAlias],
      hides: others,
      every: holds({ const: lesser }),
    },
    {
      operator: "ne",
      what: "another value",
      operand: lesser,
      shows: others,
      hides: [lesserAlias],
      every: { not: holds({ const: lesser }) },
    },
    ...((type === "string" || type === "array") && !isTime && certain ? textExpectations(list, field) : []),
    ...(compares && certain ? comparisonExpectations(field) : []),
  ];
}

function textExpectations(list: FilteredList, field: FilteredField): readonly FilterExpectation[] {
  const { lesserAlias, greaterAlias, differs } = field;
  const capitals = capitalsOf(list, field);
  const lesser = valueOf(field, lesserAlias);
  return [
    {
      operator: "contains",
      what: "a text in it",
      operand: lesser,
      shows: [lesserAlias],
      // A value that only the server makes may happen to contain another: 192.0.2.1 is in 192.0.2.10.
      hides: field.isSetByServer || !differs ? [] : [greaterAlias],
    },
    ...(capitals === undefined
      ? []
      : [
          {
            operator: "contains",
            what: "a text in other letters",
            operand: capitals,
            shows: [lesserAlias],
          } satisfies FilterExpectation,
        ]),
    {
      operator: "contains",
      what: "a text that is not in it",
      operand: { $text: [lesser, "~"] },
      hides: [lesserAlias, greaterAlias],
    },
  ];
}

function comparisonExpectations(field: FilteredField): readonly FilterExpectation[] {
  const { lesserAlias, greaterAlias, differs } = field;
  const [lesser, greater] = [valueOf(field, lesserAlias), valueOf(field, greaterAlias)];
  const others = differs ? [greaterAlias] : [];
  return [
    { operator: "gt", what: "more than it", operand: lesser, shows: others, hides: [lesserAlias] },
    { operator: "gte", what: "it or more", operand: lesser, shows: [lesserAlias, ...others] },
    { operator: "lte", what: "it or less", operand: lesser, shows: [lesserAlias], hides: others },
    {
      operator: "lt",
      what: "less than it",
      operand: differs ? greater : lesser,
      shows: differs ? [lesserAlias] : [],
      hides: [differs ? greaterAlias : lesserAlias],
    },
  ];
}

function filterCase(list: FilteredList, field: FilteredField, expected: FilterExpectation): Case {
  const { context, operation, plan, createSteps } = list;
  const { operator, what, operand, shows = [], hides = [], every } = expected;
  const mayLack = operator === "ne" && field.isOptional;
  const each = every === undefined ? {} : within(field.pointer, every, { mayLack });
  const spelling = spellingOf(list, operator);
  // Without a restriction to the two items the matches may fill more than a page.
  const request = { condition: { field, operator, operand }, isNarrowed: operator !== "eq" };
  return createCase(context, {
    operation,
    kind: "filters",
    idParts: ["filter", field.name, spelling, ...(operator === "contains" ? [what.replaceAll(" ", "-")] : [])],
    title: `Filtered by ${field.name}, ${operator === "eq" ? "a value that it equals" : `${spelling} ${what}`}`,
    requirements: [...field.requirements, ...requirementIds(list.parameter?.sources)],
    requires: plan.requires,
    steps: [...plan.setupSteps, ...createSteps, listWith(list, request, listing(list, { shows, hides, every: each }))],
  });
}

function orderCases(list: FilteredList, field: FilteredField): readonly Case[] {
  const { context, operation, plan, createSteps, parameter, order, hasOnlyItems } = list;
  const isNarrow = hasOnlyItems || narrowing(list) !== undefined;
  // Nothing says whether items without a value come first.
  const isComparable = isNarrow || (field.type === "number" && !field.isOptional);
  if (!field.isOrdered || order === undefined || !isComparable) return [];
  return (["asc", "desc"] as const).map((direction) => {
    const items =
      direction === "asc" ? [field.lesserAlias, field.greaterAlias] : [field.greaterAlias, field.lesserAlias];
    return createCase(context, {
      operation,
      kind: "filters",
      idParts: ["order", field.name, direction],
      title: `Ordered by ${field.name}, ${direction === "asc" ? "the least first" : "the greatest first"}`,
      requirements: [...field.requirements, ...requirementIds(parameter?.sources)],
      requires: plan.requires,
      steps: [
        ...plan.setupSteps,
        ...createSteps,
        listWith(
          list,
          { isNarrowed: true, order: { field, direction } },
          isNarrow ? expectItems(list, items) : expectFirst(list, { field, direction }),
        ),
      ],
    });
  });
}

/** No item of the list precedes the one of the case with the least, or the greatest value. */
function expectFirst(list: FilteredList, { field, direction }: NonNullable<ListRequest["order"]>): Expectation {
  const bound =
    direction === "asc" ? { most: valueOf(field, field.lesserAlias) } : { least: valueOf(field, field.greaterAlias) };
  const first = within(field.pointer, statedLimits("number", bound));
  return { status: 200, body: ofItems(list, { prefixItems: [first], ...statedLimits("items", { least: 2 }) }) };
}

/** Without an order, items have ascending ids: older items come first. */
function unorderedCases(list: FilteredList): readonly Case[] {
  const { context, operation, plan, createSteps, parameter, identifyingField, syntax } = list;
  const resource = context.api.resources.find((each) => each.list === operation.name);
  const schema = resource === undefined ? undefined : context.schemas.get(resource.name);
  const property = schema?.properties?.find(({ name }) => name === identifyingField);
  if (syntax.any === undefined || narrowing(list) === undefined || property === undefined) return [];
  if (!schemaParts(context.api, property.schema).some(({ types }) => types.includes("integer"))) return [];
  return [
    createCase(context, {
      operation,
      kind: "filters",
      idParts: ["order", "none"],
      title: "Without an order, items come by ascending number",
      requirements: requirementIds([...operation.sources, ...(parameter?.sources ?? [])]),
      requires: plan.requires,
      steps: [
        ...plan.setupSteps,
        ...createSteps,
        listWith(list, { isNarrowed: true }, expectItems(list, ["greater", "lesser"])),
      ],
    }),
  ];
}

// Several filters in one

function joinedCases(list: FilteredList): readonly Case[] {
  const { context, operation, plan, createSteps, parameter, syntax } = list;
  const field = list.fields.find(({ differs, type }) => differs && type !== "array");
  const { all, any } = syntax;
  if (createSteps.length < 2 || field === undefined || all === undefined || any === undefined) return [];
  const at = (item: string): Template => valueOf(field, item);
  const is = (item: string): Record<string, Template> => ({ [field.name]: at(item) });
  const about: readonly (readonly [string, string, Record<string, Template>, readonly string[]])[] = [
    ["or", `${any} matches either of two filters`, { [any]: [is("lesser"), is("greater")] }, ["lesser", "greater"]],
    ["and", "Two contradicting filters match nothing", { [all]: [is("lesser"), is("greater")] }, []],
    [
      "nested",
      "Filters can be nested",
      { [any]: [{ [all]: [is("lesser")] }, { [all]: [is("greater")] }] },
      ["lesser", "greater"],
    ],
    [
      "or-beside",
      `A field beside ${any} must match as well`,
      { [any]: [is("lesser"), is("greater")], ...is("lesser") },
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
      requirements: requirementIds(parameter?.sources),
      requires: plan.requires,
      steps: [
        ...plan.setupSteps,
        ...createSteps,
        listWithFilter(list, filter, {
          expect:
            shows.length === 0
              ? { status: 200, body: ofItems(list, statedLimits("items", { most: 0 })) }
              : listing(list, { shows, hides, every: within(field.pointer, { enum: shows.map((item) => at(item)) }) }),
        }),
      ],
    });
  });
}

// Invalid filters

type Rejection = readonly [id: string, title: string, filter: Template, expect: Expectation];

function rejectedFilterCases(list: FilteredList): readonly Case[] {
  const { context, operation, plan, parameter } = list;
  const steps = [
    ...[...unfilterableRejections(list), ...brokenRejections(list)].map(
      ([id, title, filter, expect]) => [id, title, listWithFilter(list, filter, { expect })] as const,
    ),
    ...orderRejections(list),
  ];
  return steps.map(([id, title, step]) =>
    createCase(context, {
      operation,
      kind: "filters",
      idParts: ["filter", ...id.split("/")],
      title,
      requirements: requirementIds(parameter?.sources),
      requires: plan.requires,
      exclusive: plan.exclusive,
      readOnly: plan.setupSteps.length === 0 && plan.call.by === undefined,
      steps: [...plan.setupSteps, step],
    }),
  );
}

/** Fields that the list cannot be filtered by, if the description has an error for them. */
function unfilterableRejections(list: FilteredList): readonly Rejection[] {
  const { syntax, order, unfilterableFields } = list;
  const error = findOperationError(list.context, list.operation, syntax.error);
  if (error === undefined) return [];
  const expect = expectError(error);
  // JSON says which type it means, and parameters of the style `query` have schemas.
  const compared = list.fields.find(({ type }) => type === "number");
  const mistyped: readonly Rejection[] =
    compared === undefined || syntax.style === "json" || syntax.style === "query"
      ? []
      : [["no-number", `${compared.name} is a number`, { [compared.name]: "many" }, expect]];
  if (hasFieldParameters(syntax)) return mistyped;
  return [
    ...mistyped,
    ...unfilterableFields.map((name): Rejection => [
      `${name}/not-filterable`,
      `The list cannot be filtered by ${name}`,
      { [name]: "1" },
      expect,
    ]),
    ["unknown-field", "An unknown field is rejected", { no_such_field: 1 }, expect],
    ...(order?.kind === "filter"
      ? [
          [
            "order-unknown-field",
            "An unknown field to order by is rejected",
            { [order.by]: "no_such_field" },
            expect,
          ] as const,
        ]
      : []),
  ];
}

/** JSON filters that a server cannot read. */
function brokenRejections(list: FilteredList): readonly Rejection[] {
  const { context, operation, syntax, order, parameter, fields } = list;
  const [field] = fields;
  const { all, any } = syntax;
  if (field === undefined || parameter === undefined || all === undefined || any === undefined) return [];
  const { expect } = expectRejection(context, operation, { defaultStatuses: [400, 422], field: parameter.name });
  const unknown = (name: string): string => spellingOf(list, "eq").replace("eq", name);
  const unread: readonly Rejection[] = [
    ["no-json", "A filter is JSON", "{", expect],
    ["no-object", "A filter is an object", "[]", expect],
  ];
  // Without an error for them, a server ignores such conditions.
  if (syntax.error === undefined) return unread;
  return [
    ...unread,
    ["unknown-operator", "An unknown operator is rejected", { [field.name]: { [unknown("like")]: "a" } }, expect],
    ["unknown-word", "An unknown key is rejected", { [unknown("not")]: [{}] }, expect],
    ["and-no-list", `${all} takes a list`, { [all]: {} }, expect],
    ["or-no-list", `${any} takes a list`, { [any]: "a" }, expect],
    ...(order?.kind === "filter"
      ? [
          [
            "order-no-direction",
            "An unknown direction is rejected",
            { [order.by]: field.name, [order.direction]: "up" },
            expect,
          ] as const,
        ]
      : []),
  ];
}

/** A field that the list cannot be ordered by, in a parameter of its own that does not list its values. */
function orderRejections(list: FilteredList) {
  const { context, operation, syntax, order } = list;
  const error = findOperationError(context, operation, syntax.error);
  if (error === undefined || order?.kind !== "parameter") return [];
  const parameter = operation.parameters.find((each) => each.in === "query" && each.name === order.parameter);
  if (parameter === undefined || schemaParts(context.api, parameter.schema).some((part) => part.enum !== undefined))
    return [];
  const step = listWithQuery(list, { [order.parameter]: "no_such_field" }, expectError(error));
  return [["order-unknown-field", "An unknown field to order by is rejected", step] as const];
}

// Expectations

/** A schema for a page that has some items, lacks others, and in which each item matches. */
function listing(
  list: FilteredList,
  { shows, hides, every }: { readonly shows: readonly string[]; readonly hides: readonly string[]; every: Template },
): Expectation {
  const has = (item: string): Template => ({ contains: isItem(list, item) });
  const items = { items: every, allOf: [...shows.map(has), ...hides.map((item) => ({ not: has(item) }))] };
  return { status: 200, body: ofItems(list, items) };
}

function expectItems(list: FilteredList, shows: readonly string[]): Expectation {
  const prefixItems = shows.map((item) => isItem(list, item));
  const exactly = statedLimits("items", { least: shows.length, most: shows.length });
  return { status: 200, body: ofItems(list, { prefixItems, ...exactly }) };
}

function isItem({ identifyingField }: FilteredList, item: string): Template {
  return { properties: { [identifyingField]: { const: { $get: `${item}#/${identifyingField}` } } } };
}

/** A schema for the response whose items have a schema. */
function ofItems({ itemsField }: FilteredList, schema: Record<string, Template>): Record<string, Template> {
  return itemsField === undefined ? schema : { properties: { [itemsField]: schema } };
}

function within(pointer: readonly string[], schema: Template, { mayLack = false } = {}): Template {
  return pointer.reduceRight(
    (inner: Template, name) => ({ ...(!mayLack && { required: [name] }), properties: { [name]: inner } }),
    schema,
  );
}
