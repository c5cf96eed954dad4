import { scenarios, suite } from "@cloud-compute/conformance";
import { expect, test } from "vitest";
import type { Fault } from "../faults/fault.js";
import { startFaultyServiceIn } from "../faults/faulty-service.js";
import { routesOf, runCases } from "../faults/matrix.js";
import type { ProxyRequest } from "../faults/proxy.js";
import { startServiceProcess } from "../faults/services.js";

/** Cases that a server passes even if it ignores each update, with reasons. */
const exempt: Readonly<Record<string, string>> = {
  "updateProfile/ip_whitelist_enabled/alone": "It is off, and cannot be enabled.",
  "updateProfile/restricted/alone": "A user cannot restrict itself.",
  "updateProfile/two_factor_auth/alone": "Only a confirmed code enables it.",
  "updateDomain/type/alone": "The other type has other fields, so it is not updated alone.",
  "updateDomainRecord/type/repeated": "The type of a record cannot change.",
};

/** They prove that an update changes nothing more. */
const neutral = new Set(["again", "unchanged"]);

test("a case of an update fails on a server that ignores the update", async () => {
  const routes = routesOf(suite);
  const services = startServiceProcess();
  const passing: string[] = [];
  try {
    for (const [operation, { method }] of Object.entries(suite.operations)) {
      const cases = suite.cases.filter((each) => each.operation === operation && each.kind === "changes");
      if (method !== "PUT" || cases.length === 0) continue;
      const running = await startFaultyServiceIn(services, { fault: ignoring(operation), routes });
      const { results } = await runCases(running, { suite, scenarios, cases, seed: 1, workers: 2 });
      await running.close();
      for (const { status, case: tested } of results) {
        const name = tested.id.split("/").slice(1).join("/");
        if (status === "pass" && !neutral.has(name.split("/").at(-1) ?? "")) passing.push(name);
      }
    }
  } finally {
    await services.close();
  }
  expect(passing.toSorted()).toEqual(Object.keys(exempt).toSorted());
});

function ignoring(operation: string): Fault {
  return {
    id: `ignored/${operation}`,
    class: 47,
    operation,
    requirements: [],
    description: "the server ignores the body",
    wire: { onRequest: (asked): ProxyRequest => (asked.body.startsWith("{") ? { ...asked, body: "{}" } : asked) },
  };
}
