import { scenarios, suite } from "@cloud-compute/conformance";
import { expect, test } from "vitest";
import { besidesFaults } from "../faults/besides.js";
import { runCases } from "../faults/matrix.js";
import { startServiceProcess } from "../faults/services.js";
import { editsOf } from "../faults/faulty-service.js";

const services = startServiceProcess();

test.each(besidesFaults)("a frame case finds that $description", async (fault) => {
  const service = await services.start(editsOf(fault));
  const cases = suite.cases.filter(({ kind, operation }) => kind === "frame" && operation === fault.operation);
  const { results } = await runCases(service, { suite, scenarios, cases, seed: 1, workers: 1 });
  const failures = results.filter(({ status }) => status === "fail").flatMap((each) => each.failures);
  console.log(fault.id, results.map(r => r.status).join(), failures.slice(0, 2).map((each) => each.message));
  expect(failures.length).toBeGreaterThan(0);
  await service.close();
});
