import { useQuery, useQueryClient, useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import {
  createPlotMutation,
  getPlotOptions,
  listPlotsOptions,
  listPlotsQueryKey,
  updatePlotMutation,
} from "./client/@tanstack/react-query.gen";
import type { Plot, Soil } from "./client";

export const usePlots = (soil?: Soil[]) => useQuery({ ...listPlotsOptions({ query: { soil } }), staleTime: 60_000 });

/** All plots, or why there are none. */
export function PlotList({ soil }: { readonly soil?: Soil[] }): ReactNode {
  const { data, error, isPending } = usePlots(soil);
  if (isPending) return <p>Loading</p>;
  if (error) return <p>No plots: {error.reason}</p>;
  return (
    <ul>
      {data.map((plot) => (
        <PlotItem key={plot.id} plot={plot} />
      ))}
    </ul>
  );
}

function PlotItem({ plot }: { readonly plot: Plot }): ReactNode {
  return (
    <li>
      {plot.name}: {plot.tenant ?? "free"}
    </li>
  );
}

export function PlotTitle({ id }: { readonly id: number }): ReactNode {
  const plot = useQuery(getPlotOptions({ path: { "plot-id": id }, headers: { "X-Trace": "title" } }));
  return <h1>{plot.isError ? `Unknown: ${plot.error.reason}` : plot.data?.name}</h1>;
}

/** A form that writes a plot, and loads the list again. */
export function NewPlot({ name, onSaved }: { readonly name: string; readonly onSaved: (plot: Plot) => void }): ReactNode {
  const queries = useQueryClient();
  const { mutate, error } = useMutation({
    ...createPlotMutation(),
    onSuccess: async (plot) => {
      await queries.invalidateQueries({ queryKey: listPlotsQueryKey() });
      onSaved(plot);
    },
  });
  return (
    <form>
      <button onClick={() => mutate({ body: { name, soil: "loam" } })}>Save</button>
      {error && <p>Not saved: {error.reason}</p>}
    </form>
  );
}

export function Release({ plot }: { readonly plot: Plot }): ReactNode {
  const release = useMutation(updatePlotMutation());
  const send = () =>
    release.mutate({ path: { "plot-id": plot.id }, headers: { "If-Match": plot.version }, body: { tenant: null } });
  return <button onClick={send}>{release.isSuccess ? "Released" : `Release${release.error ? " failed" : ""}`}</button>;
}
