import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { components } from "./api/schema";
import { $api } from "./queries";

type Plot = components["schemas"]["Plot"];
type Soil = components["schemas"]["Soil"];

export const usePlots = (soil?: Soil[]) =>
  $api.useQuery("get", "/plots", { params: { query: { soil } } }, { staleTime: 60_000 });

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
  const plot = $api.useQuery("get", "/plots/{plot-id}", {
    params: { path: { "plot-id": id }, header: { "X-Trace": "title" } },
  });
  return <h1>{plot.isError ? `Unknown: ${plot.error.reason}` : plot.data?.name}</h1>;
}

/** A form that writes a plot, and loads the list again. */
export function NewPlot({ name, onSaved }: { readonly name: string; readonly onSaved: (plot: Plot) => void }): ReactNode {
  const queries = useQueryClient();
  const { mutate, error } = $api.useMutation("post", "/plots", {
    onSuccess: async (plot) => {
      await queries.invalidateQueries({ queryKey: ["get", "/plots"] });
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
  const release = $api.useMutation("patch", "/plots/{plot-id}");
  const send = () =>
    release.mutate({
      params: { path: { "plot-id": plot.id }, header: { "If-Match": plot.version } },
      body: { tenant: null },
    });
  return <button onClick={send}>{release.isSuccess ? "Released" : `Release${release.error ? " failed" : ""}`}</button>;
}
