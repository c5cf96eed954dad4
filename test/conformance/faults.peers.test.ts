import { scenarios, suite } from "@cloud-compute/conformance";
import { describe, expect, test } from "vitest";
import { allFaults } from "../faults/all-faults.js";
import { routesOf } from "../faults/matrix.js";
import { evaluateVerdict } from "../faults/peers/comparison.js";
import { operationsOf, readDescription } from "../faults/peers/description.js";
import { sampleFaults } from "../faults/peers/index.js";
import { toOpenApi30, responseSchemas } from "../faults/peers/openapi30.js";
import { pathValues } from "../faults/peers/portman.js";
import { prepareRequests } from "../faults/peers/prepared-requests.js";
import type { RunningService } from "../faults/services.js";
import { startServiceInProcess } from "../support/service-in-process.js";

describe("a tool's verdict", () => {
  const passes = { name: "GET (200)", failed: false };
  const fails = { name: "GET (200)", failed: true };

  test("a test that fails with the fault alone detects it", () => {
    expect(evaluateVerdict({ tests: [fails] }, { tests: [passes] }, false)).toEqual({
      detected: true,
      failed: ["GET (200)"],
    });
  });

  test("a test that fails without the fault too is skipped", () => {
    expect(evaluateVerdict({ tests: [fails] }, { tests: [passes, fails] }, false)).toEqual({
      detected: false,
      failed: [],
    });
  });

  test("a tool that does not end, only with the fault, detects it", () => {
    expect(evaluateVerdict({ tests: [], error: "no response" }, { tests: [passes] }, false).detected).toBe(true);
    expect(
      evaluateVerdict({ tests: [], error: "no response" }, { tests: [], error: "no response" }, false).detected,
    ).toBe(false);
  });
});

test("a sample has the requested number of faults of each class, and none of an empty class", () => {
  const chosen = sampleFaults(allFaults, 2);
  const classes = [...new Set(allFaults.map((each) => each.class))];
  expect(classes.filter((number) => chosen.filter((each) => each.class === number).length > 2)).toEqual([]);
  expect(new Set(chosen.map((each) => each.class))).toEqual(new Set(classes));
});

test("path values are read by the template, also ids of two segments", () => {
  expect(pathValues("/images/{imageId}", "/images/private/7?page=1")).toEqual({ path_imageId: "private/7" });
  expect(pathValues("/domains/{domainId}/records/{recordId}", "/domains/1/records/2")).toEqual({
    path_domainId: "1",
    path_recordId: "2",
  });
});

test("an operation in OpenAPI 3.0 has no type lists, and a response schema no siblings of references", async () => {
  const document = await readDescription();
  for (const name of operationsOf(document).keys()) {
    const older = JSON.stringify(toOpenApi30(document, name));
    expect(older, name).not.toMatch(/"type":\[|"const":|"x-/);
    expect(JSON.stringify(responseSchemas(document, name)), name).not.toMatch(/"\$ref":"[^"]*",|[^{]"\$ref"/);
  }
});

test("a valid request waits for its response until it is released, with existing references", async () => {
  const routes = routesOf(suite);
  const running = await startRunning();
  const prepared = await prepareRequests(running, {
    suite,
    routes,
    operation: "getDomain",
    copies: 2,
    runId: "testing0",
  });
  const [first, second] = prepared.requests;
  const statuses = await Promise.all(
    [first, second].map(async (each) => {
      const headers = { authorization: each?.headers["authorization"] ?? "" };
      return (await fetch(running.url + (each?.target ?? ""), { headers })).status;
    }),
  );
  await prepared.close();
  expect(statuses).toEqual([200, 200]);
  expect(first?.headers["authorization"]).not.toBe(second?.headers["authorization"]);
});

test("an exclusive case can be prepared twice concurrently", async () => {
  const routes = routesOf(suite);
  const running = await startRunning();
  const options = { suite, scenarios, routes, operation: "confirmTwoFactor", copies: 2, runId: "testing1" };
  const prepared = await prepareRequests(running, options);
  const statuses = await Promise.all(
    prepared.requests.map(async (each) => {
      const headers = {
        authorization: each?.headers["authorization"] ?? "",
        "content-type": "application/json",
      };
      const init = { method: "POST", headers, body: each?.body ?? "" };
      return (await fetch(running.url + (each?.target ?? ""), init)).status;
    }),
  );
  await prepared.close();
  expect(statuses).toEqual([200, 200]);
});

async function startRunning(): Promise<RunningService> {
  const { url, controls, token } = await startServiceInProcess(["--pace", "0"]);
  if (controls === null) throw new Error("the service has no test controls");
  return { url, controls, token, close: async () => undefined };
}
