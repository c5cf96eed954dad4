import { createPlot, deletePlot, getPlot, listPlots, updatePlot } from "./api/allotments";
import { Soil, type NewPlot, type Plot } from "./api/allotments.schemas";

/** Plots in light soil. */
export async function lightPlots(): Promise<Plot[]> {
  const response = await listPlots({ soil: [Soil.sand, Soil.loam], free: false });
  if (response.status !== 200) throw new Error(response.data.reason);
  return response.data;
}

export async function show(id: number, trace = "visit"): Promise<string> {
  const { data, status } = await getPlot(id, { "X-Trace": trace });
  if (status === 200) {
    return `${data.name}: ${data.soil === Soil.clay ? "heavy" : "light"}`;
  } else if (status === 404) {
    return `404 ${data.reason}`;
  }
  throw new Error("unreachable");
}

export async function start(plot: NewPlot): Promise<{ id: number; at: string | null } | string> {
  const created = await createPlot(plot);
  if (created.status === 201) return { id: created.data.id, at: created.headers.get("location") };
  return `${created.status}: ${created.data.field}`;
}

export async function hand(id: number, version: string, tenant: string): Promise<string | null | undefined> {
  const res = await updatePlot(id, { tenant }, { "If-Match": version }, { dry: false });
  switch (true) {
    case res.status === 412:
      return "conflict";
    default:
      return res.status === 200 ? res.data.tenant : res.data.reason;
  }
}

export async function give(ids: number[], signal: AbortSignal): Promise<boolean[]> {
  const responses: boolean[] = [];
  for (const id of ids) {
    const { status } = await deletePlot(id, { signal });
    responses.push(status < 400);
  }
  return responses;
}
