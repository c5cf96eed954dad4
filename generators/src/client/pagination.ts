import {
  type TextFile,
  code,
  docComment,
  importValue,
  joinCode,
  jsonLiteral,
  identifier,
  printSourceFile,
  importType,
  type Code,
} from "@plumbline/kit/codegen";
import { type Api, type Operation, type Pagination, pascalCase, pickDefined, memoize } from "@plumbline/kit/model";
import { operationFile, isNameFree } from "./names.js";
import { clientRuntime } from "./runtime.js";

/** Emits `pagination.ts`: `paginateList` for the most common pagination of the API, and a separate function for each list that differs. */
export function emitPagination(api: Api): readonly TextFile[] {
  const groups = paginationGroups(api);
  const [most, ...others] = groups;
  if (most === undefined) return [];
  const namedLists = others.flatMap(({ lists }) => lists.map((list) => [list, ownName(list)] as const));
  const statements = [
    ...(isNameFree(api, "paginateList") ? emitPaginate(api, most) : []),
    ...namedLists
      .filter(([, called]) => isNameFree(api, called) && called !== "paginateList")
      .map(([list, called]) => emitOwnPaginate(api, list, called)),
  ];
  if (statements.length === 0) return [];
  const names = ["paginateList", "PagedList", ...namedLists.map(([, called]) => called)];
  return [{ path: "src/gen/pagination.ts", text: printSourceFile(statements, names) }];
}

interface PaginationGroup {
  readonly pagination: Pagination;
  readonly lists: readonly Operation[];
}

/** The paginated lists, grouped by their pagination. The largest group comes first. */
export const paginationGroups: (api: Api) => readonly PaginationGroup[] = memoize((api) => {
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

function emitPaginate(api: Api, { pagination, lists }: PaginationGroup): readonly Code[] {
  const [first] = lists;
  const types = lists.map((list) => code`typeof ${importType(list.name, operationFile(api, list))}`);
  const about = docComment([
    "Iterates over all items of a list, page by page. `.pages()` iterates over the pages.",
    "",
    "@example",
    `for await (const each of paginateList(${first?.name ?? ""}, client${exampleArguments(first)}${pagination.next === undefined ? ", { concurrency: 4 }" : ""})) console.log(each);`,
  ]);
  // A schema of this name takes precedence in the exports of the package.
  const exported = isNameFree(api, "PagedList") ? code`export ` : code``;
  return [
    code`/** The functions that return a paginated list. */\n${exported}type PagedList = ${joinCode(types, code` | `)};`,
    code`${about}
export function paginateList<ListFunction extends PagedList>(list: ListFunction, client: ${importType("Client", clientRuntime)}, ...rest: ${importType("ListArguments", clientRuntime)}<ListFunction${optionsOf(pagination)}>): ${resultOf(code`ListFunction`, pagination)} {
  return ${paginator(pagination)}(${namesOf(pagination)}, list, client, ...rest);
}`,
  ];
}

function emitOwnPaginate(api: Api, list: Operation, called: string): Code {
  const { pagination } = list;
  if (pagination === undefined) return code``;
  const type = code`typeof ${importValue(list.name, operationFile(api, list))}`;
  const about = docComment([
    `Iterates over all items of \`${list.name}\`, page by page. \`.pages()\` iterates over the pages.`,
  ]);
  return code`${about}
export function ${identifier(called)}(client: ${importType("Client", clientRuntime)}, ...rest: ${importType("ListArguments", clientRuntime)}<${type}${optionsOf(pagination)}>): ${resultOf(type, pagination)} {
  return ${paginator(pagination)}(${namesOf(pagination)}, ${importValue(list.name, operationFile(api, list))}, client, ...rest);
}`;
}

function resultOf(list: Code, { envelope }: Pagination): Code {
  const page = code`${importType("PageOf", clientRuntime)}<${list}>`;
  return code`${importType("PageIterable", clientRuntime)}<${page}, ${importType("ItemOf", clientRuntime)}<${page}, ${envelope.items === undefined ? code`undefined` : jsonLiteral(envelope.items)}>>`;
}

/** The names of the option types of the functions. */
export function paginationOptions(api: Api): readonly string[] {
  const groups = new Set(paginationGroups(api).map(({ pagination }) => pagination.next !== undefined));
  return [...(groups.has(false) ? ["PaginateOptions"] : []), ...(groups.has(true) ? ["CursorOptions"] : [])];
}

function paginator({ next }: Pagination): Code {
  return importValue(next === undefined ? "paginate" : "paginateByCursor", clientRuntime);
}

function optionsOf({ next }: Pagination): Code {
  return next === undefined ? code`` : code`, ${importType("CursorOptions", clientRuntime)}`;
}

function namesOf({ page, size, envelope, next }: Pagination): Code {
  if (next === undefined) return jsonLiteral({ page, size, items: envelope.items, pages: envelope.pages });
  return jsonLiteral({
    cursor: page,
    ...pickDefined("size", size),
    ...pickDefined("items", envelope.items),
    next: next.in === "header" ? next.name : next.pointer,
  });
}

function ownName(list: Operation): string {
  return `paginate${pascalCase(list.name) ?? list.name}`;
}

function exampleArguments(list: Operation | undefined): string {
  return list?.parameters.some(({ required }) => required) === true ? ", request" : ", {}";
}
