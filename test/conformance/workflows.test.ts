import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { startServiceInProcess } from "../support/service-in-process.js";
import { copyWithoutRecursion, failuresOf, inputsOf } from "../support/workflows.js";

// An independent runner of Arazzo, against the service. It reads the description again for each workflow: the full form runs all of them.

test("the steps of a workflow succeed, and one with an injected error fails", { timeout: 60_000 }, async () => {
  const copy = await copyWithoutRecursion();
  const service = await startServiceInProcess(["--pace", "0"]);
  const file = path.join(copy, "workflows", "instances.arazzo.yaml");
  const text = await readFile(file, "utf8");
  const [right, wrong] = ["$response.body#/backups/enabled == false", "$response.body#/backups/enabled == true"];
  expect(text).toContain(right);
  await writeFile(file, text.replace(right, wrong));
  const inputs = await inputsOf({ inputs: ["token"], given: { token: { caller: "user" } } }, service);
  // The wrong one is of the last step of three.
  expect(await failuresOf(file, { id: "instance-defaults", inputs, service })).toEqual([`hasNoBackups: ${wrong}`]);
});
