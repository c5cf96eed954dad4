import { scenarios, suite } from "@cloud-compute/conformance";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { faults } from "./faults/all.js";
import { routesOf } from "./faults/matrix.js";
import { verdict } from "./faults/peers/comparison.js";
import { operationsOf, readDescription } from "./faults/peers/description.js";
import { sample } from "./faults/peers/index.js";
import { olderDescription, replySchemas } from "./faults/peers/older.js";
import { pathValues } from "./faults/peers/portman.js";
import { prepare } from "./faults/peers/preparing.js";
import { startProcess, type ServiceProcess } from "./faults/services.js";

let services: ServiceProcess;
beforeAll(() => {
  services = startProcess();
});
afterAll(() => services.close());

describe("a tool's verdict", () => {
  const passes = { name: "GET (200)", failed: false };
  const fails = { name: "GET (200)", failed: true };

  test("a test that fails with the fault alone detects it", () => {
    expect(verdict({ tests: [fails] }, { tests: [passes] }, false)).toEqual({ detected: true, failed: ["GET (200)"] });
  });

  test("a test that fails without the fault too is skipped", () => {
    expect(verdict({ tests: [fails] }, { tests: [passes, fails] }, false)).toEqual({ detected: false, failed: [] });
  });

  test("a tool that comes to no end with the fault alone detects it", () => {
    expect(verdict({ tests: [], problem: "no answer" }, { tests: [passes] }, false).detected).toBe(true);
    expect(verdict({ tests: [], problem: "no answer" }, { tests: [], problem: "no answer" }, false).detected).toBe(
      false,
    );
  });
});

test("a sample has as many faults of each class as asked for, and none where there are none", () => {
  const chosen = sample(faults, 2);
  const classes = [...new Set(faults.map((each) => each.class))];
  expect(classes.filter((number) => chosen.filter((each) => each.class === number).length > 2)).toEqual([]);
  expect(new Set(chosen.map((each) => each.class))).toEqual(new Set(classes));
});

test("what stands in a path is told by its template, ids of two segments too", () => {
  expect(pathValues("/images/{imageId}", "/images/private/7?page=1")).toEqual({ path_imageId: "private/7" });
  expect(pathValues("/domains/{domainId}/records/{recordId}", "/domains/1/records/2")).toEqual({
    path_domainId: "1",
    path_recordId: "2",
  });
});

test("an operation as OpenAPI 3.0 has no type lists, and a reply's schema no reference with anything beside it", async () => {
  const document = await readDescription();
  for (const name of operationsOf(document).keys()) {
    const older = JSON.stringify(olderDescription(document, name));
    expect(older, name).not.toMatch(/"type":\[|"const":|"x-/);
    expect(JSON.stringify(replySchemas(document, name)), name).not.toMatch(/"\$ref":"[^"]*",|[^{]"\$ref"/);
  }
});

test("a fitting request waits for its answer until it is let go, and what it names is there", async () => {
  const routes = routesOf(suite);
  const running = await services.start([]);
  try {
    const prepared = await prepare(running, { suite, routes, operation: "getDomain", copies: 2, runId: "testing0" });
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
  } finally {
    await running.close();
  }
});

test("what is tried alone otherwise is made twice at once", async () => {
  const routes = routesOf(suite);
  const running = await services.start([]);
  try {
    const options = { suite, scenarios, routes, operation: "confirmTwoFactor", copies: 2, runId: "testing1" };
    const prepared = await prepare(running, options);
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
  } finally {
    await running.close();
  }
});
