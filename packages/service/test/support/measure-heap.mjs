// Preloaded into the program: on SIGUSR2 it collects garbage, and writes what is left to stderr, in bytes.
import v8 from "node:v8";
import vm from "node:vm";

v8.setFlagsFromString("--expose-gc");
const collectGarbage = vm.runInNewContext("gc");

process.on("SIGUSR2", () => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  process.stderr.write(`heap ${heapUsed + external}\n`);
});
