// Loaded with --import: counts what a program does to the disk, and ends or stops the program in the middle of one such step, as the environment says:
// STOP_AT, the number of the step; STOP_WITH, a signal; STOP_REPORT, a file that has the number of steps once the program has stopped or ended.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { STOP_AT, STOP_WITH, STOP_REPORT } = process.env;
let steps = 0;
const report = () => fs.writeFileSync(STOP_REPORT, String(steps));

for (const name of ["mkdir", "writeFile", "rename", "unlink", "rm", "rmdir"]) {
  const step = fs.promises[name];
  fs.promises[name] = (...args) => {
    steps += 1;
    const done = step(...args);
    if (steps === Number(STOP_AT)) {
      report();
      process.kill(process.pid, STOP_WITH);
    }
    return done;
  };
}
syncBuiltinESMExports();
process.on("exit", report);
