import type { Case, MakeStep, Template } from "@plumbline/conformance-runtime";
import {
  collectFilterFields,
  findJsonContent,
  hasFieldParameters,
  inferResources,
  type Operation,
  ownValue,
  type Parameter,
  type Resource,
  type Schema,
  schemaParts,
} from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import type { FilteredItem } from "../../context/settings.js";
import { creatorsOf } from "../../requests/created-resources.js";
import { fixturesOf, parentsOfFixture } from "../../requests/fixtures.js";
import { pathReferences } from "../../requests/object-chains.js";
import { itemsPointer } from "../../requests/object-sources.js";
import { planRequest } from "../../requests/request-plan.js";
import { schemaWithValue } from "../effects/expression-values.js";

/** Cases of query parameters that have the name of an item's field: `?state=open` lists only open items. */
export function queryFilterCases(context: ConformanceContext): readonly Case[] {
  return context.api.operations.flatMap((operation) => {
    const { pagination, method } = operation;
    const resource = method === "GET" ? listedResource(context, operation) : undefined;
    const content = operation.responses.flatMap((each) =>
      each.status === 200 ? (findJsonContent(each.contents) ?? []) : [],
    )[0];
    if (resource === undefined || content === undefined) return [];
    const inPage = pagination?.envelope.items;
    const items = inPage === undefined ? listItems(context, operation, resource) : `/${inPage}`;
    if (items === undefined) return [];
    const fields = fieldsOfItem(context, content.schema, items);
    const stated =
      operation.filter !== undefined && hasFieldParameters(operation.filter)
        ? collectFilterFields(context.api, operation)
        : [];
    return operation.parameters.flatMap((parameter) => {
      // The cases of filters have the fields that are filterable.
      const isOther =
        parameter.name === pagination?.page ||
        parameter.name === pagination?.size ||
        stated.some(({ name }) => name === parameter.name);
      const schema = fields.get(parameter.name);
      if (parameter.in !== "query" || parameter.mediaType !== undefined || isOther || schema === undefined) return [];
      const pair = differentItems(context, { operation, resource, parameter, schema });
      return pair === undefined ? [] : [filterCase(context, { operation, parameter, items, pair })];
    });
  });
}

interface ItemPair {
  readonly matching: Omit<MakeStep, "as">;
  readonly other: Omit<MakeStep, "as">;
}

function filterCase(
  context: ConformanceContext,
  {
    operation,
    parameter: { name, sources },
    items,
    pair,
  }: {
    readonly operation: Operation;
    readonly parameter: Parameter;
    readonly items: string;
    readonly pair: ItemPair;
  },
): Case {
  const plan = planRequest(context, operation, { objects: "own" });
  const parents = pathReferences(operation).map(
    (each) => [each.reference.to, { $get: plan.names[each.name] ?? "" }] as const,
  );
  const inputs = parents.length === 0 ? {} : { of: Object.fromEntries(parents) };
  const value: Template = { $get: `matching#/${name}` };
  // Other objects of the account may fill the first page, but not that of a parent of the case.
  const isComplete = operation.pagination !== undefined || parents.length > 0;
  const expected: Template = {
    items: schemaWithValue([name], { const: value }),
    ...(isComplete ? { contains: schemaWithValue([name], { const: value }) } : {}),
  };
  return createCase(context, {
    operation,
    kind: "filters",
    idParts: ["filter", name, "equals"],
    title: `${operation.summary ?? operation.name}: with ${name} each item has its value`,
    requirements: [...requirementIds(sources), ...requirementIds(operation.sources)],
    requires: plan.requires,
    exclusive: plan.exclusive,
    steps: [
      ...plan.setupSteps,
      { ...pair.other, as: "other", ...inputs, fresh: true },
      { ...pair.matching, as: "matching", ...inputs, fresh: true },
      {
        ...plan.call,
        query: { ...plan.call.query, [name]: value },
        expect: { body: schemaWithValue(items === "" ? [] : [items.slice(1)], expected) },
      },
    ],
  });
}

/** Two objects with different values of the field. Undefined when the suite knows none. */
function differentItems(
  context: ConformanceContext,
  {
    operation,
    resource,
    parameter,
    schema,
  }: {
    readonly operation: Operation;
    readonly resource: Resource;
    readonly parameter: Parameter;
    readonly schema: Schema;
  },
): ItemPair | undefined {
  const { name } = parameter;
  const fixtures = fixturesOf(context);
  const parents = pathReferences(operation).map(({ reference }) => reference.to);
  const isWithin = ({ make }: Omit<MakeStep, "as">): boolean =>
    fixtures[make] !== undefined && parents.every((parent) => parentsOfFixture(context, make).includes(parent));
  const pairOf = (matching: Omit<MakeStep, "as">, other: Omit<MakeStep, "as">): ItemPair | undefined =>
    isWithin(matching) && isWithin(other) ? { matching, other } : undefined;
  const stated = ownValue(context.settings.filters ?? {}, operation.name);
  const makeOf = ({ fixture = resource.name, with: laid }: FilteredItem = {}): Omit<MakeStep, "as"> => ({
    make: fixture,
    with: laid,
  });
  if ([...(stated?.differ ?? []), ...(stated?.distinct ?? [])].includes(name))
    return pairOf(makeOf(stated?.greater), makeOf(stated?.lesser));
  const accepted = (value: unknown): boolean => {
    const lists = schemaParts(context.api, parameter.schema).flatMap((part) =>
      part.enum === undefined ? [] : [part.enum],
    );
    return lists.every((values) => values.some((each) => each === value));
  };
  const stateMachine = context.api.stateMachines.find((each) => each.resource === resource.name && each.field === name);
  if (stateMachine !== undefined) {
    const [first, second] = stateMachine.states.filter(
      (state) => accepted(state) && isWithin({ make: `${resource.name}@${state}` }),
    );
    return first === undefined || second === undefined
      ? undefined
      : pairOf({ make: `${resource.name}@${first}` }, { make: `${resource.name}@${second}` });
  }
  const [first, second] = statedValues(context, resource, name).filter(accepted);
  if (first === undefined || second === undefined || schema.types.includes("array")) return undefined;
  return pairOf({ make: resource.name, with: { [name]: first } }, { make: resource.name, with: { [name]: second } });
}

/** The values that a creation may state for a field: those of an enum, or true and false. */
function statedValues(
  context: ConformanceContext,
  resource: Resource,
  name: string,
): readonly (string | number | boolean)[] {
  const creator = creatorsOf(context.api, resource)[0] ?? inferResources(context.api).creators.get(resource.name);
  const body = creator?.requestBody && findJsonContent(creator.requestBody.contents)?.schema;
  if (body === undefined) return [];
  const schemas = schemaParts(context.api, body)
    .flatMap(({ properties = [] }) => properties.filter((each) => each.name === name && !each.readOnly))
    .flatMap((each) => schemaParts(context.api, each.schema));
  if (schemas.some(({ types }) => types.includes("boolean"))) return [true, false];
  const values = schemas.find((each) => each.enum !== undefined)?.enum ?? [];
  return values.filter((each) => typeof each === "string" || typeof each === "number");
}

/** The resource of a list's items: the one that names the list, or the one that a POST to the same path creates. */
function listedResource(context: ConformanceContext, { name, path }: Operation): Resource | undefined {
  const { api } = context;
  const { creators } = inferResources(api);
  return (
    api.resources.find((each) => each.list === name) ??
    api.resources.find((each) =>
      [...creatorsOf(api, each), creators.get(each.name)].some((creator) => creator?.path === path),
    )
  );
}

function listItems(context: ConformanceContext, operation: Operation, resource: Resource): string | undefined {
  const inferred = resource.list === operation.name ? inferResources(context.api).items.get(resource.name) : undefined;
  const readOperation = context.operations.get(resource.read ?? "");
  const schemaName = readOperation?.responses.flatMap((each) =>
    each.status === 200 ? (findJsonContent(each.contents)?.schema.ref ?? []) : [],
  )[0];
  return (
    inferred ??
    itemsPointer(context, operation, { name: resource.name.startsWith("/") ? (schemaName ?? "") : resource.name })
  );
}

function fieldsOfItem(context: ConformanceContext, list: Schema, items: string): ReadonlyMap<string, Schema> {
  const { api } = context;
  const lists =
    items === ""
      ? [list]
      : schemaParts(api, list).flatMap(({ properties = [] }) =>
          properties.filter(({ name }) => `/${name}` === items).map(({ schema }) => schema),
        );
  const fields = lists
    .flatMap((each) => schemaParts(api, each))
    .flatMap((each) => (each.items === undefined ? [] : schemaParts(api, each.items)))
    .flatMap(({ properties = [] }) => properties);
  return new Map(fields.map(({ name, schema }) => [name, schema] as const));
}
