import { banner } from "../emit/banner.js";
import type { TextFile } from "../emit/files.js";
import { code, comment, imported, join, literal, name, print, typeImported, type Code } from "../emit/printer.js";
import type { Api, Operation, Pagination } from "../model/api.js";
import { pascalCase } from "../model/names.js";
import { once } from "../model/once.js";
import { fileOf, isFree } from "./names.js";
import { runtime } from "./runtime.js";

/** Emits `pagination.ts`: `paginate` for the most common pagination of the API, and a separate function for each list that differs. */
export function emitPagination(api: Api): readonly TextFile[] {
  const groups = pagings(api);
  const [most, ...others] = groups;
  if (most === undefined) return [];
  const own = others.flatMap(({ lists }) => lists.map((list) => [list, ownName(list)] as const));
  const statements = [
    ...(isFree(api, "paginate") ? forMost(api, most) : []),
    ...own.filter(([, called]) => isFree(api, called)).map(([list, called]) => forOne(list, called)),
  ];
  if (statements.length === 0) return [];
  const names = ["paginate", "PagedList", ...own.map(([, called]) => called)];
  return [{ path: "src/gen/pagination.ts", text: print(statements, banner, names) }];
}

interface Paging {
  readonly pagination: Pagination;
  readonly lists: readonly Operation[];
}

/** The paginated lists, grouped by their pagination. The largest group comes first. */
export const pagings: (api: Api) => readonly Paging[] = once((api) => {
  const groups = new Map<string, { readonly pagination: Pagination; readonly lists: Operation[] }>();
  for (const operation of api.operations) {
    const { pagination } = operation;
    if (pagination === undefined) continue;
    const group = groups.get(JSON.stringify(pagination)) ?? { pagination, lists: [] };
    group.lists.push(operation);
    groups.set(JSON.stringify(pagination), group);
  }
  return [...groups.values()].sort((a, b) => b.lists.length - a.lists.length);
});

function forMost(api: Api, { pagination, lists }: Paging): readonly Code[] {
  const [first] = lists;
  const types = lists.map((list) => code`typeof ${typeImported(list.name, fileOf(list))}`);
  const about = comment([
    "Iterates over all items of a list, page by page. `.pages()` iterates over the pages.",
    "",
    "@example",
    `for await (const each of paginate(${first?.name ?? ""}, client${takes(first)}, { concurrency: 4 })) console.log(each);`,
  ]);
  // A schema of this name takes precedence in the exports of the package.
  const exported = isFree(api, "PagedList") ? code`export ` : code``;
  return [
    code`/** The functions that return a paginated list. */\n${exported}type PagedList = ${join(types, code` | `)};`,
    code`${about}
export function paginate<Listed extends PagedList>(list: Listed, client: ${typeImported("Client", runtime)}, ...rest: ${typeImported("ListArguments", runtime)}<Listed>): ${resultOf(code`Listed`, pagination)} {
  return ${imported("paginate", runtime)}(${namesOf(pagination)}, list, client, ...rest);
}`,
  ];
}

function forOne(list: Operation, called: string): Code {
  const { pagination } = list;
  if (pagination === undefined) return code``;
  const type = code`typeof ${imported(list.name, fileOf(list))}`;
  const about = comment([
    `Iterates over all items of \`${list.name}\`, page by page. \`.pages()\` iterates over the pages.`,
  ]);
  return code`${about}
export function ${name(called)}(client: ${typeImported("Client", runtime)}, ...rest: ${typeImported("ListArguments", runtime)}<${type}>): ${resultOf(type, pagination)} {
  return ${imported("paginate", runtime)}(${namesOf(pagination)}, ${imported(list.name, fileOf(list))}, client, ...rest);
}`;
}

function resultOf(list: Code, { envelope }: Pagination): Code {
  const page = code`${typeImported("PageOf", runtime)}<${list}>`;
  return code`${typeImported("Paginated", runtime)}<${page}, ${typeImported("ItemOf", runtime)}<${page}, ${literal(envelope.items)}>>`;
}

function namesOf({ page, size, envelope }: Pagination): Code {
  return literal({ page, size, items: envelope.items, pages: envelope.pages });
}

function ownName(list: Operation): string {
  return `paginate${pascalCase(list.name) ?? list.name}`;
}

function takes(list: Operation | undefined): string {
  return list?.parameters.some(({ required }) => required) === true ? ", request" : ", {}";
}
