import { getPlot, listHarvests, recordHarvest } from "./api/allotments";
import type { Harvest } from "./api/allotments.schemas";

export async function diary(id: number): Promise<string> {
  const [plot, harvests] = await Promise.all([getPlot(id), listHarvests(id, { since: "2026-01-01" })]);
  if (plot.status !== 200 || harvests.status !== 200) return "nothing";
  return `${plot.data.name}: ${harvests.data.items.map(({ crop }) => crop).join(", ")}`;
}

export async function write(id: number, harvest: Harvest): Promise<Harvest> {
  const { data } = await recordHarvest(id, harvest);
  return data as Harvest;
}
