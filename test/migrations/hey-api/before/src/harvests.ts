import * as api from "./client";
import type { Harvest, HarvestPage } from "./client";

export async function harvestsOf(id: number, signal: AbortSignal): Promise<HarvestPage> {
  const { data } = await api.listHarvests({ path: { "plot-id": id }, signal, throwOnError: true });
  return data;
}

export async function recordAll(id: number, harvests: Harvest[]): Promise<number> {
  const results = harvests.map((body) =>
    api.recordHarvest({ body, path: { "plot-id": id } }).then(({ data }) => data?.kilograms ?? 0),
  );
  return (await Promise.all(results)).reduce((sum, each) => sum + each, 0);
}
