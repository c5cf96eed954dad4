import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { startServiceInProcess } from "../support/service-in-process.js";
import { copyWithoutRecursion, failuresOf, inputsOf, workflowFolder, workflowsOf } from "../support/workflows.js";

// An independent runner of Arazzo, against the service: it reads the files as our suite does.

const files = (await readdir(workflowFolder)).filter((name) => name.endsWith(".arazzo.yaml"));

/** Failures that are the runner's, by workflow, with the reason. One that no longer occurs fails. */
const known: Readonly<Record<string, { readonly failures: readonly string[]; readonly reason: string }>> = {
  "tag-with-a-slash": {
    failures: ["listed: $statusCode == 200", "listed: $response.body#/results == 0"],
    reason: "The runner sends a slash in a path parameter as it is, and not as %2F.",
  },
};

test.each(files)("%s: workflows run", async (file) => {
  const copy = await copyWithoutRecursion();
  const service = await startServiceInProcess(["--pace", "0"]);
  const workflows = await workflowsOf(path.join(workflowFolder, file));
  expect(workflows.length).toBeGreaterThan(0);
  for (const { id, ...workflow } of workflows) {
    const inputs = await inputsOf(workflow, service);
    const failures = await failuresOf(path.join(copy, "workflows", file), { id, inputs, service });
    expect([id, failures]).toEqual([id, known[id]?.failures ?? []]);
  }
});

test("a workflow that does not hold fails by its condition", async () => {
  const copy = await copyWithoutRecursion();
  const service = await startServiceInProcess(["--pace", "0"]);
  const file = path.join(copy, "workflows", "instances.arazzo.yaml");
  await writeFile(
    file,
    (await readFile(file, "utf8")).replace(
      "$response.body#/status == 'offline'",
      "$response.body#/status == 'running'",
    ),
  );
  const inputs = await inputsOf({ inputs: ["token"], given: { token: { caller: "user" } } }, service);
  const failures = await failuresOf(file, { id: "create-from-nothing", inputs, service });
  expect(failures).toEqual(["create: $response.body#/status == 'running'"]);
});
