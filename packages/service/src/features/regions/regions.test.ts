import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { failure, start } from "../../testing.support.js";
import * as controls from "../../testing/index.js";

test("regions are public, page by page", async () => {
  const { as } = await start();
  const anybody = as(undefined);
  const { data, ...pages } = await api.listRegions(anybody);
  expect(pages).toEqual({ page: 1, pages: 1, results: data.length });
  expect(data.map(({ id }) => id)).toEqual(["ap-south", "eu-central", "eu-west", "us-east", "us-southeast", "us-west"]);
  const east = await api.getRegion(anybody, { path: { regionId: "us-east" } });
  expect(east).toEqual(data.find(({ id }) => id === "us-east"));
  expect(east).toEqual({
    id: "us-east",
    country: "us",
    status: "ok",
    capabilities: ["Compute", "Block Storage", "Backups", "NodeBalancers", "Kubernetes", "Vlans"],
    resolvers: { ipv4: expect.stringMatching(/^\d+\./), ipv6: expect.stringContaining(":") },
  });
  expect(await failure(api.getRegion(anybody, { path: { regionId: "nowhere" } }))).toEqual([404, "Not found"]);
});

test("a region has its outage status and its current capabilities", async () => {
  const { admin, controls: client } = await start();
  const path = { regionId: "us-east" };
  await controls.setRegion(client, { path: { id: "us-east" }, body: { status: "outage", capabilities: ["Compute"] } });
  expect(await api.getRegion(admin, { path })).toMatchObject({ status: "outage", capabilities: ["Compute"] });
});
