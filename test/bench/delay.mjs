// Loaded before a server whose event loop is measured: on request of its parent, it sends the longest delay since the previous request, and the CPU
// time that all took, in milliseconds.
import { monitorEventLoopDelay } from "node:perf_hooks";

// Milliseconds between two looks, which count as delay.
const resolution = 1;

const delay = monitorEventLoopDelay({ resolution });
delay.enable();
let before = process.cpuUsage();
process.on("message", () => {
  const { user, system } = process.cpuUsage(before);
  process.send?.({ delay: Math.max(0, delay.max / 1e6 - resolution), cpu: (user + system) / 1000 });
  delay.reset();
  before = process.cpuUsage();
});
// The server keeps the process alive.
process.channel?.unref();
