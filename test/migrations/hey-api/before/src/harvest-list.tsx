import { useInfiniteQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { listHarvestsInfiniteOptions, listHarvestsOptions } from "./client/@tanstack/react-query.gen";

/** The harvests of a plot, two at a time. */
export function HarvestList({ id }: { readonly id: number }): ReactNode {
  const { data, hasNextPage, fetchNextPage } = useInfiniteQuery({
    ...listHarvestsInfiniteOptions({ path: { "plot-id": id }, query: { since: "2026-01-01" } }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (pages.length * 2 < last.total ? pages.length + 1 : undefined),
  });
  const crops = data?.pages.flatMap(({ items }) => items.map(({ crop }) => crop)) ?? [];
  return (
    <div>
      <p>{crops.join(", ")}</p>
      {hasNextPage && <button onClick={() => void fetchNextPage()}>More</button>}
    </div>
  );
}

/** Loads harvests before they are shown. */
export async function prefetchHarvests(queries: QueryClient, id: number): Promise<number> {
  const page = await queries.fetchQuery(listHarvestsOptions({ path: { "plot-id": id } }));
  return page.total;
}

export function useReload(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries();
}
