import type { CallOptions, Client } from "../client.js";
import {
  readField,
  readItems,
  type ItemOf,
  type ListArguments,
  type ListOperation,
  type PageIterable,
  type PageOf,
} from "./paginate.js";

/** The query parameter that continues a list, and where a page has its next value. */
export interface CursorFields {
  readonly cursor: string;
  /** Absent: requests cannot state the size of a page. */
  readonly size?: string | undefined;
  /** Absent: the page is the array of its items. */
  readonly items?: string | undefined;
  /** The path of a field, or the name of a header. */
  readonly next: readonly string[] | string;
}

/** Options of `paginateByCursor`, and of each of its calls. */
export interface CursorOptions extends CallOptions {
  /**
   * Number of items in a page, if requests can state it.
   *
   * @defaultValue that of the server
   */
  readonly pageSize?: number | undefined;
}

/**
 * Iterates over all pages of a list whose pages have the cursor of the next one, from the cursor of the request or the first page.
 *
 * A page that fails ends the loop after the items before it. `signal` ends it at once. A page without a cursor is the last one, also if others are empty.
 *
 * @example
 * for await (const book of paginateByCursor(names, listBooks, client, {}, { pageSize: 100 })) console.log(book.title);
 */
export function paginateByCursor<Listed extends ListOperation, Items extends string | undefined = undefined>(
  names: CursorFields & { readonly items?: Items },
  list: Listed,
  client: Client,
  ...[request, options]: ListArguments<Listed, CursorOptions>
): PageIterable<PageOf<Listed>, ItemOf<PageOf<Listed>, Items>> {
  const { pageSize, ...rest } = options ?? {};
  const { query = {} } = (request ?? {}) as { readonly query?: Readonly<Record<string, unknown>> };
  const signal = rest.signal ?? client.options().signal;

  function requestPage(cursor: unknown): Promise<PageOf<Listed>> & { readonly response?: Response } {
    const size = names.size === undefined ? {} : { [names.size]: pageSize ?? query[names.size] };
    // The type is exact where the function is called. Here it is only known that there is a query.
    const pageRequest = {
      ...(request as object | undefined),
      query: { ...query, [names.cursor]: cursor, ...size },
    } as never;
    return list(client, pageRequest, rest) as Promise<PageOf<Listed>>;
  }

  async function* pages(): AsyncGenerator<PageOf<Listed>, void, undefined> {
    let cursor = query[names.cursor];
    do {
      const requested = requestPage(cursor);
      const page = await requested;
      const next = nextCursor(page, requested.response, names);
      // The loop would have no end.
      if (next !== undefined && next === cursor)
        throw new TypeError("a page with its own cursor as that of the next one");
      yield page;
      // Sends nothing: with an aborted signal, it fails as every call does.
      if (signal?.aborted) await requestPage(next);
      cursor = next;
    } while (cursor !== undefined);
  }

  async function* items(): AsyncGenerator<ItemOf<PageOf<Listed>, Items>, void, undefined> {
    for await (const page of pages())
      for (const item of readItems(page, names)) {
        yield item as ItemOf<PageOf<Listed>, Items>;
        if (signal?.aborted) await requestPage(undefined);
      }
  }

  return { pages, [Symbol.asyncIterator]: items };
}

/** The cursor of the next page. Null and an empty text are those of the last one. */
function nextCursor(page: unknown, response: Response | undefined, { next }: CursorFields): unknown {
  const cursor = typeof next === "string" ? response?.headers.get(next) : next.reduce(readField, page);
  return cursor === null || cursor === "" ? undefined : cursor;
}
