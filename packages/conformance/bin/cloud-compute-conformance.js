#!/usr/bin/env node
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runCommand } from "@plumbline/conformance-runtime/command";

if (existsSync(new URL("../dist/index.js", import.meta.url))) {
  const { scenarios, suite } = await import("../dist/index.js");
  process.exitCode = await runCommand(suite, process.argv.slice(2), process, scenarios);
} else {
  console.error(`Build the suite first: npx tsc -p ${fileURLToPath(new URL("..", import.meta.url))}`);
  process.exitCode = 2;
}
