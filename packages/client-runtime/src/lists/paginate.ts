import type { CallOptions, Client } from "../client.js";
import { ownProperty } from "../request/parameters.js";

/** The query parameters that select a page, and the fields that hold it. */
export interface PaginationFields {
  readonly page: string;
  readonly size: string;
  readonly items: string;
  readonly pages: string;
}

/** A function of a client that returns one page of a list. */
export type ListOperation = (client: Client, request: never, options?: CallOptions) => Promise<unknown>;

/** The arguments of such a function after the client, and the options of `paginate` or `paginateByCursor`. */
export type ListArguments<Listed extends ListOperation, Options = PaginateOptions> = Listed extends (
  client: Client,
) => unknown
  ? [request?: Parameters<Listed>[1], options?: Options]
  : [request: Parameters<Listed>[1], options?: Options];

export type PageOf<Listed extends ListOperation> = Awaited<ReturnType<Listed>>;

/** The type of the items of a page. The field may be optional. Without a field, the page is the array of its items. */
export type ItemOf<Page, Items extends string | undefined> = Items extends string
  ? Page extends { readonly [Name in Items]?: infer Held }
    ? ElementOf<NonNullable<Held>>
    : never
  : ElementOf<Page>;

type ElementOf<List> = List extends readonly (infer Item)[] ? Item : never;

/** Options of `paginate`, and of each of its calls. */
export interface PaginateOptions extends CallOptions {
  /**
   * How many pages to request at once, after the first, which has the number of pages. With 1, requests each page when the loop needs it.
   *
   * @defaultValue 1
   */
  readonly concurrency?: number | undefined;
  /**
   * Number of items in a page.
   *
   * @defaultValue that of the server
   */
  readonly pageSize?: number | undefined;
}

/** The items of all pages, in order. Each loop requests them again. */
export interface PageIterable<Page, Item> extends AsyncIterable<Item> {
  readonly pages: () => AsyncGenerator<Page, void, undefined>;
}

/**
 * Iterates over all pages of a list, from the page of the request or the first one.
 *
 * A page that fails ends the loop after the items before it. `signal` ends it at once; leaving the loop aborts requests in progress.
 * An empty page is the last one.
 *
 * @example
 * for await (const instance of paginate(names, listInstances, client, { concurrency: 4 })) console.log(instance.label);
 */
export function paginate<Listed extends ListOperation, Items extends string>(
  names: PaginationFields & { readonly items: Items },
  list: Listed,
  client: Client,
  ...[request, options]: ListArguments<Listed>
): PageIterable<PageOf<Listed>, ItemOf<PageOf<Listed>, Items>> {
  const { concurrency = 1, pageSize, ...rest } = options ?? {};
  const { query = {} } = (request ?? {}) as { readonly query?: Readonly<Record<string, unknown>> };
  const signal = rest.signal ?? client.options().signal;

  function requestPage(page: number, until: AbortSignal | undefined): Promise<PageOf<Listed>> {
    const pageQuery = { ...query, [names.page]: page, [names.size]: pageSize ?? query[names.size] };
    // The type is exact where `paginate` is called. Here it is only known that there is a query.
    const pageRequest = { ...(request as object | undefined), query: pageQuery } as never;
    return list(client, pageRequest, { ...rest, signal: until }) as Promise<PageOf<Listed>>;
  }

  async function* pages(): AsyncGenerator<PageOf<Listed>, void, undefined> {
    const leaving = new AbortController();
    // A signal for each page: Node warns about more than ten listeners on one.
    const until = (): AbortSignal => AbortSignal.any(signal ? [signal, leaving.signal] : [leaving.signal]);
    const ahead: Promise<PageOf<Listed>>[] = [];
    let next = Number(query[names.page] ?? 1);
    let last = next;
    // At least 1, also for values that are not a number.
    const most = concurrency >= 1 ? concurrency : 1;
    try {
      do {
        for (; next <= last && ahead.length < most; next++) {
          const requested = requestPage(next, until());
          // The error is thrown when it is this page's turn.
          requested.catch(() => {});
          ahead.push(requested);
        }
        const page = (await ahead.shift()) as PageOf<Listed>;
        last = readItems(page, names).length > 0 ? readPageCount(page, names) : 0;
        yield page;
        // Sends nothing: with an aborted signal, it fails as every call does.
        if (signal?.aborted) await requestPage(next, signal);
        // Pages requested ahead count only if they still exist: a list may shrink.
      } while (next - ahead.length <= last);
    } finally {
      leaving.abort();
    }
  }

  async function* items(): AsyncGenerator<ItemOf<PageOf<Listed>, Items>, void, undefined> {
    for await (const page of pages())
      for (const item of readItems(page, names)) {
        yield item as ItemOf<PageOf<Listed>, Items>;
        if (signal?.aborted) await requestPage(0, signal);
      }
  }

  return { pages, [Symbol.asyncIterator]: items };
}

/** Throws a TypeError if the page has no array. */
export function readItems(page: unknown, { items }: { readonly items?: string | undefined }): readonly unknown[] {
  const list: unknown = items === undefined ? page : readField(page, items);
  if (!Array.isArray(list))
    throw new TypeError(items === undefined ? "a page that is no array" : `a page without an array in "${items}"`);
  return list;
}

/** Throws a TypeError if it is not a number: to stop there would look like the end. */
function readPageCount(page: unknown, { pages }: PaginationFields): number {
  const count = readField(page, pages);
  if (typeof count !== "number") throw new TypeError(`a page without a number in "${pages}"`);
  return count;
}

export function readField(page: unknown, name: string): unknown {
  return ownProperty(Object(page) as object, name);
}
