import { banner } from "../emit/banner.js";
import type { TextFile } from "../emit/files.js";
import { code, comment, key, literal, print, type Code } from "../emit/printer.js";
import type { Api, JsonType, Operation, Pagination, Shape } from "../model/api.js";
import { fieldsOf, partsOf } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import { $serverType } from "./runtime.js";
import { record } from "./table.js";

/** Emits `lists.ts`: the fields by which lists can be filtered, and the function that creates a page. */
export function emitLists(api: Api): readonly TextFile[] {
  const all = api.operations.map((operation) => [operation.name, filterFields(api, operation)] as const);
  const lists = all.filter(([, fields]) => fields.length > 0);
  const members = lists.map(([operation, fields]) => {
    const each = fields.map(({ name }) => code`readonly ${key(name)}: ${$serverType("FilterField")};`);
    return code`readonly ${key(operation)}: {\n${each}\n};`;
  });
  const tables = lists.map(
    ([operation, fields]) =>
      [operation, record(Object.fromEntries(fields.map(({ name, data }) => [name, literal(data)] as const)))] as const,
  );
  const statements = [
    code`${comment(["The fields by which each list can be filtered and ordered. Nested fields have a path, such as `entity.id`."])}
export interface Filterable {\n${members}\n}`,
    code`export const filterable: Filterable = ${record(Object.fromEntries(tables))};`,
    ...envelopeOf(api),
  ];
  return [{ path: "src/gen/lists.ts", text: print(statements, banner, ["Filterable", "filterable", "page"]) }];
}

/** True if all lists have the same pagination, so that a single function can create pages. */
export function hasPages(api: Api): boolean {
  return pagesOf(api) !== undefined;
}

function pagesOf({ operations }: Api): Pagination | undefined {
  const all = operations.flatMap(({ pagination }) => pagination ?? []);
  const [first] = all;
  return new Set(all.map((each) => JSON.stringify(each))).size === 1 ? first : undefined;
}

function envelopeOf(api: Api): readonly Code[] {
  const pages = pagesOf(api);
  if (pages === undefined) return [];
  const { page, size, envelope } = pages;
  return [
    code`${comment(["Creates a page of a list from its items and the total count. An empty list has one page."])}
export function page<Item>(
  query: { readonly ${key(page)}: number; readonly ${key(size)}: number },
  items: Item[],
  total: number,
): { ${key(envelope.items)}: Item[]; ${key(envelope.page)}: number; ${key(envelope.pages)}: number; ${key(envelope.total)}: number } {
  const pages = Math.max(1, Math.ceil(total / query[${literal(size)}]));
  return { ${key(envelope.items)}: items, ${key(envelope.page)}: query[${literal(page)}], ${key(envelope.pages)}: pages, ${key(envelope.total)}: total };
}`,
  ];
}

interface FilterField {
  readonly name: string;
  readonly data: { readonly type: string; readonly operators?: readonly string[] };
}

function filterFields(api: Api, { pagination, replies }: Operation): readonly FilterField[] {
  const reply = replies.find(({ status }) => status === 200);
  const content = reply === undefined ? undefined : jsonContent(reply.contents);
  if (pagination === undefined || content === undefined) return [];
  const found = fieldsOf(api, content.shape).filter(
    ({ pointer, shape }) => pointer[0] === pagination.envelope.items && pointer[1] === "*" && shape.filterable,
  );
  const named = found.map(({ pointer, shape }): readonly [string, FilterField] => {
    const name = pointer.slice(2).join(".");
    const { operators } = shape.filterable ?? {};
    return [name, { name, data: { type: typeOf(api, shape), ...(operators === undefined ? {} : { operators }) } }];
  });
  return [...new Map(named).values()];
}

function typeOf(api: Api, shape: Shape): string {
  const types = partsOf(api, shape).flatMap((part) => part.types);
  const only = types.find((type) => type !== "null") ?? "string";
  return only === "integer" ? "number" : (only satisfies JsonType);
}
