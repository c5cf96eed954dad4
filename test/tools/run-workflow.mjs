// Runs a workflow of Arazzo, and prints its failed steps as JSON, with the condition or the reason: `{ file, id, inputs, url, controls }` as JSON.
import { createConfig } from "@redocly/openapi-core";
import { run } from "@redocly/respect-core";

const { file, id, inputs, url, controls } = JSON.parse(process.argv[2] ?? "{}");
const said = [];
const say = (text) => void said.push(text);
const [result] = await run({
  files: [file],
  workflow: [id],
  input: JSON.stringify(inputs),
  server: [`api=${url}`, `controls=${controls}`],
  severity: "SCHEMA_CHECK=off",
  config: await createConfig({}),
  maxSteps: 2000,
  maxFetchTimeout: 20_000,
  requestFileLoader: { getFileBody: () => Promise.resolve(new Blob([])) },
  logger: {
    output: say,
    error: say,
    warn: say,
    info: say,
    printNewLine: () => {},
    printSeparator: () => {},
    indent: (text) => text,
  },
  fetch,
});
const steps = result?.executedWorkflows.flatMap(({ executedSteps }) => executedSteps) ?? [];
// The runner reports a waiting step once per attempt; the last report counts.
const last = new Map(steps.flatMap((step) => ("checks" in step ? [[step.stepId, step]] : [])));
const failures = [...last.values()].flatMap(({ stepId, checks }) =>
  checks
    .filter(({ passed, severity }) => !passed && severity === "error")
    .map(({ condition, message = "" }) => `${stepId}: ${condition ?? message}`),
);
console.log(JSON.stringify(steps.length === 0 ? [`nothing was run: ${said.join(" ")}`] : failures));
