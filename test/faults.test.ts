import http from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { runSuite } from "@plumbline/conformance-runtime";
import { scenarios, suite } from "@cloud-compute/conformance";
import { describe, expect, onTestFinished, test } from "vitest";
import { faults } from "./faults/all.js";
import { classes } from "./faults/classes.js";
import { startFaulty } from "./faults/faulty.js";
import { casesFor, shortfalls, sumOf } from "./faults/judging.js";
import { runMatrix } from "./faults/matrix.js";
import { printed } from "./faults/printing.js";

/** Of each class the fault that the fewest cases touch: `npm run faults` has them all. */
const short = Object.keys(classes).flatMap((number) => {
  const ofClass = faults.filter((fault) => fault.class === Number(number));
  return ofClass.toSorted((a, b) => casesFor(a, suite).length - casesFor(b, suite).length).slice(0, 1);
});

describe("the conformance suite", () => {
  test("finds a fault of each class, and nothing where there is none", { timeout: 600_000 }, async () => {
    expect(short.length).toBe(Object.keys(classes).length);
    const matrix = await runMatrix({ suite, scenarios, faults: short, seed: 1, atOnce: 2 });
    const alarms = matrix.alarms.map(({ id }) => id);
    expect(shortfalls(sumOf(matrix.outcomes), alarms), printed(matrix, classes)).toEqual([]);
  });

  test(
    "passes hardly any case of a server that always answers 200 with an empty object",
    { timeout: 300_000 },
    async () => {
      const url = await startCanned();
      const real = await startFaulty(undefined, new Map());
      onTestFinished(() => real.close());
      const { controls, token } = real;
      const { results } = await runSuite(suite, {
        url,
        controls,
        credentials: { main: token },
        cases: suite.cases,
        seed: 1,
      });
      const passed = results.filter(({ status }) => status === "pass").map((each) => each.case.id);
      expect(results.length).toBe(suite.cases.length);
      expect(passed.length, passed.join("\n")).toBeLessThanOrEqual(0.05 * results.length);
    },
  );
});

/** A server that never says anything else. */
async function startCanned(): Promise<string> {
  const server = http.createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json" });
    response.end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v4`;
}
