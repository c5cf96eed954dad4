// The test command: format, lint, types, whether generated files are current, and every test. Ends with one line that counts.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const workspaces = ["generators", "test", ...readdirSync(join(root, "packages")).map((name) => join("packages", name))];
const reports = workspaces.map((folder) => join(root, folder, "reports", "tests.json"));

const steps = [
  { what: "what npm has to know", command: "node", args: [join("test", "support", "warm-cache.mjs")] },
  { what: "formatting", command: "oxfmt", args: ["--check", "."] },
  {
    what: "lint, types, generated files",
    command: "turbo",
    args: ["run", "//#lint", "typecheck", "check", "--continue"],
  },
  { what: "tests", command: "turbo", args: ["run", "test", "--continue"] },
];

for (const report of reports) rmSync(report, { force: true });
let passed = 0;
let failed = 0;
for (const { what, command, args } of steps) {
  console.log(`\n== ${what}: ${command} ${args.join(" ")}`);
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" };
  const program = command === "node" ? process.execPath : join(root, "node_modules", ".bin", command);
  const { status } = spawnSync(program, args, { cwd: root, stdio: "inherit", env });
  if (status === 0) passed += 1;
  else failed += 1;
  if (status !== 0) console.log(`== ${what}: failed`);
}

let tests = 0;
let skipped = 0;
for (const report of reports.filter(existsSync)) {
  const found = JSON.parse(readFileSync(report, "utf8"));
  tests += found.numTotalTests;
  passed += found.numPassedTests;
  failed += found.numFailedTests;
  skipped += found.numPendingTests + found.numTodoTests;
}
if (tests === 0) {
  console.log("No test was run.");
  failed += 1;
}
if (skipped > 0 && process.env.CI) {
  console.log("In CI nothing may be skipped.");
  failed += 1;
}
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed > 0 ? 1 : 0;
