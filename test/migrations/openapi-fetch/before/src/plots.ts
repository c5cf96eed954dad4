import { client } from "./client";
import type { components } from "./api/schema";

export type Plot = components["schemas"]["Plot"];
type NewPlot = components["schemas"]["NewPlot"];

export async function listPlots(free: boolean): Promise<Plot[]> {
  const { data, error } = await client.GET("/plots", {
    params: {
      // Free ones, or all.
      query: { free, soil: ["clay", "sand"] },
    },
  });
  if (error) throw new Error(error.reason);
  return data;
}

/** Returns the plot, or why there is none. */
export async function addPlot(body: NewPlot): Promise<{ plot?: Plot; why?: string; at?: string | null }> {
  const { data: plot, error: problem, response } = await client.POST("/plots", { body });
  if (problem) {
    return { why: `${response.status}: ${problem.field ?? "?"}: ${problem.reason}` };
  }
  return { plot, at: response.headers.get("Location") };
}

export async function findPlot(id: number, signal?: AbortSignal): Promise<Plot | undefined> {
  const { data } = await client.GET("/plots/{plot-id}", {
    params: { path: { "plot-id": id }, header: { "X-Trace": "find" } },
    signal,
  });
  return data;
}

export async function rename(plot: Plot, name: string): Promise<string> {
  const result = await client.PATCH("/plots/{plot-id}", {
    params: {
      path: { "plot-id": plot.id },
      query: { dry: false },
      header: { "If-Match": plot.version },
    },
    body: { name },
  });
  if (result.error !== undefined) {
    switch (result.response.status) {
      case 412:
        return `conflict: ${result.error.reason}`;
      default:
        return "failed";
    }
  }
  return result.data.name;
}

export async function removePlot(id: number): Promise<boolean> {
  const { error, response } = await client.DELETE("/plots/{plot-id}", { params: { path: { "plot-id": id } } });
  return !error && response.ok;
}

export function plotName(id: number): Promise<string> {
  return client
    .GET("/plots/{plot-id}", { params: { path: { "plot-id": id } } })
    .then(({ data, error }) => (error ? `no plot: ${error.reason}` : data.name));
}
