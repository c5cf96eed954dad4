// `npm run changeset`: Changesets, with the arguments it has.
import { spawnSync } from "node:child_process";
import { changesetsProgram } from "./changesets.mjs";

const program = changesetsProgram();
const { status } = spawnSync(process.execPath, [program, ...process.argv.slice(2)], { stdio: "inherit" });
process.exitCode = status ?? 1;
