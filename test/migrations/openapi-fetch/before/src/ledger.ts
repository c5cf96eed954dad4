import assert from "node:assert/strict";
import type createClient from "openapi-fetch";
import type { components, paths } from "./api/schema";

type Plot = components["schemas"]["Plot"];

/** Reads plots in many ways. */
export class Ledger {
  constructor(private readonly api: ReturnType<typeof createClient<paths>>) {}

  async names(soil?: components["schemas"]["Soil"][]): Promise<string[]> {
    const { data: plots = [] } = await this.api.GET("/plots", { params: { query: { soil } } });
    return plots.map(({ name }) => name);
  }

  async find(id: number): Promise<Plot | null> {
    const found = await this.api.GET("/plots/{plot-id}", { params: { path: { "plot-id": id } } });
    if (found.response.status === 404) return null;
    if (!found.data) throw new Error(`Plot ${id}: ${found.response.status}`);
    return found.data;
  }

  async sure(id: number): Promise<string> {
    const { data, error } = await this.api.GET("/plots/{plot-id}", { params: { path: { "plot-id": id } } });
    assert(!error);
    return data.name;
  }

  async describe(id: number): Promise<string> {
    const { data, error, response } = await this.api.GET("/plots/{plot-id}", { params: { path: { "plot-id": id } } });
    if (!response.ok || !data) {
      return `${response.status} ${error?.reason}`;
    } else if (data.tenant) {
      return `${data.name} of ${data.tenant}`;
    }
    return data.name;
  }

  async collect(ids: number[]): Promise<Plot[]> {
    const result: Plot[] = [];
    for (const id of ids) {
      const { data: plot, error } = await this.api.GET("/plots/{plot-id}", { params: { path: { "plot-id": id } } });
      if (error) continue;
      result.push({ ...plot, id });
    }
    return result;
  }

  async heaviest(id: number): Promise<() => string | undefined> {
    const { data, error } = await this.api.GET("/plots/{plot-id}/harvests", { params: { path: { "plot-id": id } } });
    if (error) return () => error.reason;
    return () => data.items.toSorted((a, b) => b.kilograms - a.kilograms)[0]?.crop;
  }

  async state(id: number): Promise<{ found: boolean; data?: Plot; why?: string }> {
    const { data, error } = await this.api.GET("/plots/{plot-id}", { params: { path: { "plot-id": id } } });
    return { found: !error, data, why: error && error.reason };
  }

  async copy(id: number): Promise<number | undefined> {
    const { data: old, error } = await this.api.GET("/plots/{plot-id}", { params: { path: { "plot-id": id } } });
    if (error !== undefined) return undefined;
    const made = await this.api.POST("/plots", {
      body: { name: `${old.name} 2`, soil: old.soil },
      headers: { "X-App": "copy" }, // The server counts copies.
    });
    return made.data?.id;
  }

  free = async () => (await this.api.GET("/plots", { params: { query: { free: true } } })).data?.length ?? 0;

  everyone = (ids: number[]) =>
    Promise.all(
      ids.map((id) =>
        this.api
          .GET("/plots/{plot-id}", { params: { path: { "plot-id": id } } })
          .then((answer) => answer.data?.tenant ?? answer.error?.reason),
      ),
    );
}
