import { createPlot, deletePlot, getPlot, listPlots as fetchPlots, updatePlot, type Plot, type Problem } from "./client";
import { visitor } from "./setup";

export async function freePlots(): Promise<string[]> {
  const { data, error } = await fetchPlots({ query: { free: true } });
  if (!data) {
    console.error(error);
    return [];
  }
  return data.map(({ name }) => name);
}

export async function visit(): Promise<string> {
  const { error, response } = await fetchPlots({ client: visitor });
  return error === undefined ? "welcome" : `${response?.status} ${error.reason}`;
}

// A plot with the name of its tenant, if it has one.
export async function describePlot(id: number, trace?: string): Promise<string> {
  const { data: plot } = await getPlot({
    path: { "plot-id": id },
    headers: { "X-Trace": trace, "X-App": "detail" },
    throwOnError: true,
  });
  return `${plot.name} (${plot.tenant ?? "free"})`;
}

export async function create(name: string): Promise<Plot | Problem> {
  const result = await createPlot({
    body: {
      name,
      soil: "loam",
    },
  });
  if (result.data) return result.data;
  return result.error;
}

export async function move(plot: Plot, tenant: string | null): Promise<string> {
  const { data, error, response } = await updatePlot({
    path: { "plot-id": plot.id },
    headers: { "If-Match": plot.version },
    body: { tenant },
  });
  if (error) {
    if (response?.status === 412) return `conflict: ${error.reason}`;
    throw error;
  }
  return data.tenant ?? "free";
}

export async function clear(ids: readonly number[]): Promise<number[]> {
  const cleared: number[] = [];
  for (const id of ids) {
    const { error } = await deletePlot({ path: { "plot-id": id } });
    if (error) continue;
    cleared.push(id);
  }
  return cleared;
}
