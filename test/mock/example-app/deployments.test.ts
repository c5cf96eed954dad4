import { createClient, withRetry } from "@cloud-compute/client";
import { createMock, type Mock } from "@cloud-compute/mock";
import { expect, test } from "vitest";
import { cloudComputeData } from "../cloud-compute-data.js";
import { createDeployments, type Deployments } from "./deployments.js";

// How the tests of an application look that runs on the mock: no server, and no canned response.

function start(mock: Mock): Deployments {
  const fetch = withRetry({ fetch: (input, init) => mock.fetch(new Request(input, init)) });
  return createDeployments(createClient({ baseUrl: "https://api.cloud-compute.example/v4", token: "any", fetch }));
}

test("a deployed server runs, and is gone once it is deleted", async () => {
  const mock = createMock({ data: cloudComputeData, pace: 0 });
  const deployments = start(mock);
  expect(await deployments.deploy("web-1")).toBe(1);
  await deployments.deploy("web-2");
  expect(await deployments.describe()).toEqual(["1 web-1: running", "2 web-2: running"]);
  expect(await deployments.removeAll("web-1")).toBe(1);
  mock.settle();
  expect(await deployments.describe()).toEqual(["2 web-2: running"]);
});

test("the eleventh deployment within thirty seconds is above the limit", async () => {
  const mock = createMock({ data: cloudComputeData, pace: 0, clock: () => 0 });
  const deployments = start(mock);
  for (let index = 0; index < 10; index += 1) await deployments.deploy(`web-${index}`);
  await expect(deployments.deploy("web-10")).rejects.toMatchObject({ status: 429 });
  mock.advance("PT30S");
  expect(await deployments.deploy("web-10")).toBe(11);
});

test("a lost connection is repeated where that is safe", async () => {
  const mock = createMock({
    data: cloudComputeData,
    pace: 0,
    faults: [{ operation: "listInstances", drop: true, times: 1 }],
  });
  expect(await start(mock).describe()).toEqual([]);
});
