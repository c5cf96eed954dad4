#!/usr/bin/env node
import { main } from "../dist/cli.js";

// A reader such as `head` may close the pipe when it has seen enough.
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(process.exitCode ?? 0);
});

process.exitCode = await main(process.argv.slice(2), {
  out: process.stdout,
  error: process.stderr,
  folder: process.cwd(),
});
