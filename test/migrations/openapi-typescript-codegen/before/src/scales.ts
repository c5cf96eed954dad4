import type { Harvest } from "./api";
import { HarvestsService } from "./api/services/HarvestsService";

export async function weigh(id: number, harvests: Harvest[]): Promise<number> {
  for (const each of harvests) await HarvestsService.recordHarvest(id, each);
  const { items } = await HarvestsService.listHarvests(id);
  return items.reduce((sum, { kilograms }) => sum + kilograms, 0);
}
