// `npm run changeset`: Changesets, with the arguments it has.
import { changesetsProgram } from "./changesets.mjs";
import { exitCodeOf } from "./programs.mjs";

process.exitCode = exitCodeOf([process.execPath, changesetsProgram(), ...process.argv.slice(2)], {
  root: process.cwd(),
});
