import { ApiError, OpenAPI, PlotsService, Soil, type NewPlot, type Plot } from "./api";

export function open(url: string): void {
  OpenAPI.BASE = url;
  OpenAPI.TOKEN = async () => process.env["ALLOTMENTS_TOKEN"] ?? "";
  OpenAPI.HEADERS = { "X-App": "office" };
}

export async function heavyPlots(): Promise<string[]> {
  const plots = await PlotsService.listPlots(undefined, [Soil.CLAY]);
  return plots.map((plot) => plot.name);
}

export async function enter(name: string, soil: Soil = Soil.LOAM): Promise<string> {
  const plot: NewPlot = { name, soil };
  try {
    const { id } = await PlotsService.createPlot(plot);
    return `#${id}`;
  } catch (error) {
    // The server says which field it is.
    if (error instanceof ApiError && error.status === 422) return `${error.body.field}: ${error.body.reason}`;
    throw error;
  }
}

export const find = (id: number): Promise<Plot | undefined> =>
  PlotsService.getPlot(id, "office").catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });

export async function lend(plot: Plot, tenant: string | null): Promise<Plot> {
  return PlotsService.updatePlot(
    plot.id,
    plot.version,
    { tenant },
    false,
  );
}

export async function close(id: number): Promise<void> {
  await PlotsService.deletePlot(id);
}
