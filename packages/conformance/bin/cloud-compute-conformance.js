#!/usr/bin/env node
import { runCommand } from "@plumbline/conformance-runtime/command";
import { scenarios, suite } from "../dist/index.js";

process.exitCode = await runCommand(suite, process.argv.slice(2), process, scenarios);
