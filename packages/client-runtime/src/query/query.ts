import type { ApiPromise } from "../api-promise.js";
import type { CallOptions, Client } from "../client.js";
import { ownProperty } from "../request/parameters.js";
import type { CallError } from "../result.js";

/** The key of a query: the package, what the query is about, the operation, and its request. */
export type QueryKey = readonly [api: string, about: string, operation: string, request: unknown, ...kind: string[]];

/** The start of keys: of one request, of an operation, of what queries are about, or of the whole package. */
export type QueryKeyPrefix = readonly [api: string, ...rest: unknown[]];

/**
 * Options of a query for TanStack Query. The `swr` function converts them for SWR.
 *
 * @typeParam E the documented errors of the operation; hooks have a `CallError` of them
 */
export interface Query<T, E> {
  readonly queryKey: QueryKey;
  readonly queryFn: (context: { readonly signal?: AbortSignal | undefined }) => Promise<T>;
  /** Never set: TanStack Query takes the type of errors from it. */
  readonly retryDelay?: (failureCount: number, error: CallError<E>) => number;
}

/** Options of an infinite query for TanStack Query. The `swrInfinite` function converts them for SWR. */
export interface InfiniteQuery<T, E> {
  readonly queryKey: QueryKey;
  readonly queryFn: (context: { readonly pageParam: number; readonly signal?: AbortSignal | undefined }) => Promise<T>;
  readonly initialPageParam: number;
  /** Returns undefined after the last page. */
  readonly getNextPageParam: (page: T, pages: readonly T[], pageParam: number) => number | undefined;
  /** Returns undefined before the first page. */
  readonly getPreviousPageParam: (page: T, pages: readonly T[], pageParam: number) => number | undefined;
  /** Never set: TanStack Query takes the type of errors from it. */
  readonly retryDelay?: (failureCount: number, error: CallError<E>) => number;
}

/** Options of a mutation for TanStack Query. The `swrMutation` function converts them for SWR. */
export interface Mutation<R, T, E> {
  readonly mutationKey: readonly [api: string, operation: string];
  readonly mutationFn: (request: R) => Promise<T>;
  readonly meta: {
    /** The keys of what the mutation may have changed. */
    readonly invalidates: readonly QueryKeyPrefix[];
  };
  /** Loads the queries again that `invalidates` matches, also after an error: the server may have made the change. */
  readonly onSettled: (
    data: T | undefined,
    error: CallError<E> | null,
    request: R,
    result: unknown,
    context: { readonly client: Invalidator },
  ) => Promise<unknown>;
}

/** The part of TanStack Query's `QueryClient` that a mutation uses. */
export interface Invalidator {
  readonly invalidateQueries: (filters: { readonly queryKey: QueryKeyPrefix }) => Promise<unknown>;
}

/** The function of an operation in a generated client. */
export type QueriedOperation<R, T, E> = (
  client: Client,
  request: R,
  options?: CallOptions,
) => ApiPromise<T, E, unknown>;

/** The data of a query. TanStack Query and SWR do not allow `undefined`: `null` is in its place. */
export type QueryData<T> = T extends undefined ? null : T;

/** The variables of a mutation: its request, which may be left out if the operation needs none. */
export type MutationVariables<R> = undefined extends R ? Exclude<R, undefined> | void : R;

/** The package, what its queries are about, and the name of the operation. */
export type QueryName = readonly [api: string, about: string, operation: string];

/**
 * Returns the options of a query.
 *
 * @param operation the function of the operation
 * @param name the start of its key
 * @param client sends the request
 * @param request the request of the operation, which is part of the key
 * @param options the options of each call; its `signal` is that of the query
 *
 * @example
 * export const getPetQuery = (client: Client, request: GetPetRequest): Query<Pet, GetPetError> =>
 *   createQuery(getPet, ["@pets/client", "Pet", "getPet"], client, request);
 */
export function createQuery<R, T, E>(
  operation: QueriedOperation<R, T, E>,
  name: QueryName,
  client: Client,
  request: R,
  options?: CallOptions,
): Query<QueryData<T>, E> {
  return {
    queryKey: [...name, toKey(request)],
    queryFn: async ({ signal }) => toData(await operation(client, request, { ...options, signal })),
  };
}

/**
 * Returns the options of an infinite query, which loads pages one after the other, from the page of the request or the first one.
 *
 * @param operation the function of the operation
 * @param name the start of its key
 * @param fields the query parameter that selects a page, and the field of a page that has their number
 * @param client sends the requests
 * @param request the request of the operation, which is part of the key
 * @param options the options of each call; its `signal` is that of the query
 */
export function createInfiniteQuery<R, T, E>(
  operation: QueriedOperation<R, T, E>,
  name: QueryName,
  fields: { readonly page: string; readonly pages: string },
  client: Client,
  request: R,
  options?: CallOptions,
): InfiniteQuery<QueryData<T>, E> {
  const { query = {} } = (request ?? {}) as { readonly query?: Readonly<Record<string, unknown>> };
  return {
    queryKey: [...name, toKey(request), "pages"],
    queryFn: async ({ pageParam, signal }) => {
      // The type is exact where the function is generated. Here it is only known that there is a query.
      const paged = { ...request, query: { ...query, [fields.page]: pageParam } } as R;
      return toData(await operation(client, paged, { ...options, signal }));
    },
    initialPageParam: Number(query[fields.page] ?? 1),
    getNextPageParam: (page, _, pageParam) => {
      const pages = ownProperty(Object(page) as object, fields.pages);
      // To stop here would look like the end.
      if (typeof pages !== "number") throw new TypeError(`a page without a number in "${fields.pages}"`);
      return pageParam < pages ? pageParam + 1 : undefined;
    },
    getPreviousPageParam: (_, __, pageParam) => (pageParam > 1 ? pageParam - 1 : undefined),
  };
}

/**
 * Returns the options of a mutation. Its variables are the request.
 *
 * @param operation the function of the operation
 * @param name the package and the name of the operation
 * @param changes what queries are about whose data the operation may change
 * @param client sends the request
 * @param options the options of each call
 */
export function createMutation<R, T, E>(
  operation: QueriedOperation<R, T, E>,
  [api, name]: readonly [api: string, operation: string],
  changes: readonly string[],
  client: Client,
  options?: CallOptions,
): Mutation<MutationVariables<R>, T, E> {
  const invalidates = changes.map((about) => [api, about] as const);
  return {
    mutationKey: [api, name],
    mutationFn: (request) => operation(client, request as R, options),
    meta: { invalidates },
    onSettled: (_data, _error, _request, _result, context) =>
      Promise.all(invalidates.map((queryKey) => context.client.invalidateQueries({ queryKey }))),
  };
}

function toData<T>(data: T): QueryData<T> {
  return (data ?? null) as QueryData<T>;
}

/** Keys are compared as JSON, which has no large integers. */
function toKey(value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (Array.isArray(value)) return value.map(toKey);
  const isPlain = typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toKey(each)])) : value;
}
