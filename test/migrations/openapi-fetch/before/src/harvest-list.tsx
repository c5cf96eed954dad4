import type { QueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { $api } from "./queries";

/** The harvests of a plot, two at a time. */
export function HarvestList({ id }: { readonly id: number }): ReactNode {
  const { data, hasNextPage, fetchNextPage } = $api.useInfiniteQuery(
    "get",
    "/plots/{plot-id}/harvests",
    { params: { path: { "plot-id": id }, query: { since: "2026-01-01" } } },
    {
      pageParamName: "page",
      initialPageParam: 1,
      getNextPageParam: (last, pages) => (pages.length * 2 < last.total ? pages.length + 1 : undefined),
    },
  );
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
  const page = await queries.fetchQuery(
    $api.queryOptions("get", "/plots/{plot-id}/harvests", { params: { path: { "plot-id": id } } }),
  );
  return page.total;
}
