import type { Client } from "openapi-fetch";
import type { components, paths } from "./api/schema";

/** Kilograms by crop. */
export async function weighHarvests(
  client: Client<paths>,
  plot: components["schemas"]["Plot"],
): Promise<Record<string, number>> {
  const [{ data: plots }, harvests] = await Promise.all([
    client.GET("/plots"),
    client.GET("/plots/{plot-id}/harvests", {
      params: { path: { "plot-id": plot.id }, query: { since: "2026-01-01" } },
    }),
  ]);
  const weights: Record<string, number> = { plots: plots?.length ?? 0 };
  if (!harvests.data) return weights;
  for (const { crop, kilograms } of harvests.data.items) weights[crop] = (weights[crop] ?? 0) + kilograms;
  return weights;
}

export async function record(client: Client<paths>, id: number, harvest: components["schemas"]["Harvest"]) {
  const { data, error } = await client.POST("/plots/{plot-id}/harvests", {
    params: { path: { "plot-id": id } },
    body: harvest,
  });
  return { crop: data?.crop, failed: error !== undefined, why: error?.reason };
}
