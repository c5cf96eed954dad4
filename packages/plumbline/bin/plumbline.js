#!/usr/bin/env node
import module from "node:module";

// Keeps compiled code between runs, where Node can (22.8 or newer).
module.enableCompileCache?.();
const { argv } = process;
if (["lint", "model", "trace"].includes(argv[2]) && !argv.includes("--help")) {
  const { preloadLinter } = await import("@plumbline/kit/openapi/lint-worker");
  preloadLinter();
}
const { main } = await import("../dist/cli.js");

// A reader such as `head` may close the pipe when it has seen enough.
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(process.exitCode ?? 0);
});

process.exitCode = await main(argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  folder: process.cwd(),
});
