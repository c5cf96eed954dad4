#!/usr/bin/env node
import { main } from "../dist/program.js";

await main(process.argv.slice(2));
