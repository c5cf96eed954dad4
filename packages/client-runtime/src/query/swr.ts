import type { InfiniteQuery, Mutation, Query, QueryKey } from "./query.js";

/** The key and the fetcher of a request, as arguments of `useSWR`. Both are null without a query. */
export type SwrArguments<T> = readonly [key: QueryKey | null, fetcher: (() => Promise<T>) | null];

/** The function that returns the key of each page, and the fetcher of a page, as arguments of `useSWRInfinite`. */
export type SwrInfiniteArguments<T> = readonly [
  getKey: (index: number, previous: T | null) => SwrPageKey | null,
  fetcher: (key: SwrPageKey) => Promise<T>,
];

/** The key of a page: that of its list, and the number of the page. */
export type SwrPageKey = readonly [...QueryKey, page: number];

/** The key and the function of a mutation, as arguments of `useSWRMutation`. */
export type SwrMutationArguments<R, T> = readonly [
  key: readonly [api: string, operation: string],
  trigger: (key: unknown, options: { readonly arg: R }) => Promise<T>,
];

/**
 * Converts a query for SWR.
 *
 * @param query a query; without one, SWR waits
 *
 * @example
 * const { data } = useSWR(...swr(id === undefined ? undefined : getPetQuery(client, { path: { petId: id } })));
 */
export function swr<T, E>(query: Query<T, E> | undefined): SwrArguments<T> {
  return query === undefined ? [null, null] : [query.queryKey, () => query.queryFn({})];
}

/**
 * Converts an infinite query for SWR.
 *
 * @example
 * const { data, size, setSize } = useSWRInfinite(...swrInfinite(listPetsInfiniteQuery(client)));
 */
export function swrInfinite<T, E>(query: InfiniteQuery<T, E>): SwrInfiniteArguments<T> {
  const { queryKey, queryFn, initialPageParam, getNextPageParam } = query;
  return [
    (index, previous) => {
      const page = previous === null ? initialPageParam : getNextPageParam(previous, [], initialPageParam + index - 1);
      return page === undefined ? null : [...queryKey, page];
    },
    (key) => queryFn({ pageParam: key.at(-1) as number }),
  ];
}

/**
 * Converts a mutation for SWR. Its argument is the request. What it has changed is loaded again with `changedBy`.
 *
 * @example
 * const { trigger } = useSWRMutation(...swrMutation(createPetMutation(client)));
 */
export function swrMutation<R, T, E>({ mutationKey, mutationFn }: Mutation<R, T, E>): SwrMutationArguments<R, T> {
  return [mutationKey, (_, { arg }) => mutationFn(arg)];
}

/**
 * Returns a filter for SWR's `mutate`: the keys of data that a mutation may have changed.
 *
 * @example
 * const creation = createPetMutation(client);
 * await creation.mutationFn({ body });
 * await mutate(changedBy(creation));
 */
export function changedBy<R, T, E>({ meta }: Mutation<R, T, E>): (key: unknown) => boolean {
  return (key) =>
    Array.isArray(key) && meta.invalidates.some((prefix) => prefix.every((each, index) => key[index] === each));
}
