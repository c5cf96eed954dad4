#!/usr/bin/env node
import { runCommand } from "@plumbline/mcp-runtime/command";
import { toolset } from "../dist/index.js";

process.exitCode = await runCommand(toolset, process.argv.slice(2), process);
