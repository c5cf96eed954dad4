import type { CallOptions, Client } from "./client.js";
import { own } from "./parameters.js";

/** The query parameters that ask for a page, and the fields that hold it. */
export interface PageNames {
  readonly page: string;
  readonly size: string;
  readonly items: string;
  readonly pages: string;
}

/** A function of a client that lists something, page by page. */
export type List = (client: Client, request: never, options?: CallOptions) => Promise<unknown>;

/** What such a function takes after the client; the last are options of `paginate`. */
export type ListArguments<Listed extends List> = Listed extends (client: Client) => unknown
  ? [request?: Parameters<Listed>[1], options?: PaginateOptions]
  : [request: Parameters<Listed>[1], options?: PaginateOptions];

export type PageOf<Listed extends List> = Awaited<ReturnType<Listed>>;

/** The items of a page, of those that a list gives; a page need not always have them. */
export type ItemOf<Page, Items extends string> = Page extends { readonly [Name in Items]?: infer Held }
  ? NonNullable<Held> extends readonly (infer Item)[]
    ? Item
    : never
  : never;

/** Options of `paginate`, and of each of its calls. */
export interface PaginateOptions extends CallOptions {
  /** How many pages are asked for at once, after the first, which says how many there are. 1: each when it is wanted. */
  readonly concurrency?: number | undefined;
  /** How many items a page shall have. */
  readonly pageSize?: number | undefined;
}

/** The items of all pages, in order; each loop over them asks anew. */
export interface Paginated<Page, Item> extends AsyncIterable<Item> {
  readonly pages: () => AsyncGenerator<Page, void, undefined>;
}

/**
 * All pages of a list, from the one that the request names or the first. A page that cannot be had fails the loop in its place,
 * after the items before it; `signal` ends it at once, and leaving it ends what it asked for ahead. An empty page is the last one.
 *
 * @example
 * for await (const instance of paginate(names, listInstances, client, { concurrency: 4 })) console.log(instance.label);
 */
export function paginate<Listed extends List, Items extends string>(
  names: PageNames & { readonly items: Items },
  list: Listed,
  client: Client,
  ...[request, options]: ListArguments<Listed>
): Paginated<PageOf<Listed>, ItemOf<PageOf<Listed>, Items>> {
  const { concurrency = 1, pageSize, ...rest } = options ?? {};
  const { query = {} } = (request ?? {}) as { readonly query?: Readonly<Record<string, unknown>> };
  const signal = rest.signal ?? client.options().signal;

  function read(page: number, until: AbortSignal | undefined): Promise<PageOf<Listed>> {
    const asked = { ...query, [names.page]: page, [names.size]: pageSize ?? query[names.size] };
    // Typed where `paginate` is called; all that is known here is that there is a query.
    const given = { ...(request as object | undefined), query: asked } as never;
    return list(client, given, { ...rest, signal: until }) as Promise<PageOf<Listed>>;
  }

  async function* pages(): AsyncGenerator<PageOf<Listed>, void, undefined> {
    const leaving = new AbortController();
    // A signal of its own for each page: Node warns of more than ten who listen to the same.
    const until = (): AbortSignal => AbortSignal.any(signal ? [signal, leaving.signal] : [leaving.signal]);
    const ahead: Promise<PageOf<Listed>>[] = [];
    let next = Number(query[names.page] ?? 1);
    let last = next;
    // At least one; what is no number asks for one at a time.
    const most = concurrency >= 1 ? concurrency : 1;
    try {
      do {
        for (; next <= last && ahead.length < most; next++) {
          const asked = read(next, until());
          // Its failure is told when it is its turn.
          asked.catch(() => {});
          ahead.push(asked);
        }
        const page = (await ahead.shift()) as PageOf<Listed>;
        last = itemsOf(page, names).length > 0 ? lastOf(page, names) : 0;
        yield page;
        // Calls nothing: with such a signal, it fails as every call does.
        if (signal?.aborted) await read(next, signal);
        // Those asked for ahead count only while they are still there: a list may shrink.
      } while (next - ahead.length <= last);
    } finally {
      leaving.abort();
    }
  }

  async function* items(): AsyncGenerator<ItemOf<PageOf<Listed>, Items>, void, undefined> {
    for await (const page of pages())
      for (const item of itemsOf(page, names)) {
        yield item as ItemOf<PageOf<Listed>, Items>;
        if (signal?.aborted) await read(0, signal);
      }
  }

  return { pages, [Symbol.asyncIterator]: items };
}

function itemsOf(page: unknown, { items }: PageNames): readonly unknown[] {
  const found: unknown = fieldOf(page, items);
  if (!Array.isArray(found)) throw new TypeError(`a page without a list in "${items}"`);
  return found;
}

/** Throws a TypeError for what is no number: to stop there would look like the end. */
function lastOf(page: unknown, { pages }: PageNames): number {
  const found = fieldOf(page, pages);
  if (typeof found !== "number") throw new TypeError(`a page without a number in "${pages}"`);
  return found;
}

function fieldOf(page: unknown, name: string): unknown {
  return own(Object(page) as object, name);
}
