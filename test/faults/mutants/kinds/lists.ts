import {
  findJsonContent,
  isJsonObject,
  schemaParts,
  type Api,
  type Json,
  type Operation,
  type Parameter,
  type Schema,
} from "@plumbline/kit/model";
import { withBody, type ProxyResponse } from "../../proxy.js";
import { isSuccess, jsonOf } from "../messages.js";
import type { Mutant, MutantKind, Violation } from "../mutant.js";
import { pick } from "../random.js";
import { placeOf, requirementsOf, type SchemaStatement } from "../statements.js";
import { mutantOf, withoutParameter } from "./operations.js";

/** Lists that leave out items, count wrongly, or ignore filters and orders. */
export function listMutants(api: Api): readonly Mutant[] {
  return api.operations.flatMap((operation) => {
    const items = itemsOf(api, operation);
    if (items === undefined) return [];
    const statement = {
      place: placeOf(operation.origin),
      requirements: requirementsOf(operation.sources),
      operations: [operation],
    };
    return [
      ...orderMutants(operation),
      mutantOf(statement, { kind: "list", detail: `${operation.name}/the last item is missing` }, () =>
        changingItems(items.name, (list) => list.slice(0, -1)),
      ),
    ];
  });
}

/** A filter whose order the server ignores. */
function orderMutants(operation: Operation): readonly Mutant[] {
  const parameter = filterParameter(operation);
  if (parameter?.in !== "header") return [];
  const requirements = [
    ...requirementsOf(parameter.sources),
    ...requirementsOf(parameter.schema.sources),
    ...requirementsOf(operation.sources),
  ];
  const statement = { place: placeOf(parameter.origin), requirements, operations: [operation] };
  return [
    mutantOf(statement, { kind: "order", detail: `${operation.name}/does not order` }, () => ({
      onRequest: (call) => {
        const text = call.request.headers[parameter.name.toLowerCase()];
        const filter = text === undefined ? undefined : jsonOf({ body: text });
        return filter !== undefined && isOrder(operation, filter) ? withoutParameter(call, parameter) : undefined;
      },
    })),
  ];
}

/** Fields of the page, and fields by which a list can be filtered and ordered. */
export function listFieldMutants(statement: SchemaStatement, seed: number): readonly Mutant[] {
  return [...envelopeMutants(statement, seed), ...filterMutants(statement, seed)];
}

function envelopeMutants({ responses, place, requirements, schema }: SchemaStatement, seed: number): readonly Mutant[] {
  const counting = responses.filter(({ operation: { pagination }, pointer }) => {
    const { page, pages, total } = pagination?.envelope ?? {};
    return pointer.length === 1 && [page, pages, total].includes(pointer[0]);
  });
  const use = pick(counting, seed, place);
  const [name] = use?.pointer ?? [];
  if (use === undefined || name === undefined || schema.ref !== undefined) return [];
  return [
    mutantOf(
      { place, requirements, operations: [use.operation] },
      { kind: "list", detail: `${use.operation.name}/${name} is one more` },
      () => ({
        onResponse: (answer) => {
          const body = isSuccess(answer) ? jsonOf(answer) : undefined;
          if (!isJsonObject(body) || typeof body[name] !== "number") return answer;
          return withBody(answer, { ...body, [name]: body[name] + 1 });
        },
      }),
    ),
  ];
}

function filterMutants({ schema, responses, place, requirements }: SchemaStatement, seed: number): readonly Mutant[] {
  if (schema.filterable === undefined) return [];
  const lists = responses.flatMap(({ operation, pointer }) => {
    const parameter = filterParameter(operation);
    return parameter === undefined || pointer[1] !== "*" || operation.pagination?.envelope.items !== pointer[0]
      ? []
      : [{ operation, parameter, name: pointer.slice(2).join(".") }];
  });
  const chosen = pick(lists, seed, place);
  if (chosen === undefined) return [];
  const { operation, parameter, name } = chosen;
  const own = { place, requirements, operations: [operation] };
  const ignoring = (kind: MutantKind, detail: string, isMeant: (filter: Json) => boolean): Mutant =>
    mutantOf(own, { kind, detail: `${operation.name}/${name} ${detail}` }, () => ({
      onRequest: (call) => {
        const text = parameter.in === "header" ? call.request.headers[parameter.name.toLowerCase()] : undefined;
        const filter = text === undefined ? undefined : jsonOf({ body: text });
        return filter !== undefined && isMeant(filter) ? withoutParameter(call, parameter) : undefined;
      },
    }));
  return [
    ignoring(
      "filter",
      "is not filtered by",
      (filter) => !isOrder(operation, filter) && JSON.stringify(filter).includes(JSON.stringify(name)),
    ),
  ];
}

function isOrder({ order }: Operation, filter: Json): boolean {
  return order?.kind === "filter" && isJsonObject(filter) && order.by in filter;
}

/** The parameter with the filter of a list. */
function filterParameter({ parameters, filter }: Operation): Parameter | undefined {
  return parameters.find((each) => each.in === filter?.parameter?.in && each.name === filter.parameter.name);
}

export interface ListItems {
  /** The field with the items. Undefined for a list that is an array. */
  readonly name: string | undefined;
  readonly schema: Schema;
}

/** The items of a list: a page of them, or an array. */
export function itemsOf(api: Api, operation: Operation): ListItems | undefined {
  const response = operation.responses.find(({ status }) => status === 200);
  const content = response === undefined ? undefined : findJsonContent(response.contents);
  if (content === undefined || operation.method !== "GET") return undefined;
  const parts = schemaParts(api, content.schema);
  const array = parts.find(({ items }) => items !== undefined);
  if (array?.items !== undefined) return { name: undefined, schema: array.items };
  const name = operation.pagination?.envelope.items;
  if (name === undefined) return undefined;
  const schema = parts
    .flatMap(({ properties = [] }) => properties.filter((each) => each.name === name))
    .flatMap((property) => schemaParts(api, property.schema))
    .find(({ items }) => items !== undefined)?.items;
  return schema === undefined ? undefined : { name, schema };
}

export function changingItems(
  name: string | undefined,
  change: (items: readonly Json[]) => readonly Json[],
): Violation {
  return { onResponse: (answer) => withItems(answer, name, change) };
}

export function withItems(
  answer: ProxyResponse,
  name: string | undefined,
  change: (items: readonly Json[]) => readonly Json[],
): ProxyResponse {
  const body = isSuccess(answer) ? jsonOf(answer) : undefined;
  const items = name === undefined ? body : isJsonObject(body) ? body[name] : undefined;
  if (!Array.isArray(items)) return answer;
  const next = change(items as readonly Json[]);
  if (next.length === items.length && next.every((each, at) => each === items[at])) return answer;
  return withBody(answer, name === undefined ? next : { ...(body as Readonly<Record<string, Json>>), [name]: next });
}
