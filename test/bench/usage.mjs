// Loaded before a measured program and its children: each reports its usage at its end, which only the process itself knows exactly.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { isMainThread } from "node:worker_threads";

const folder = process.env["PLUMBLINE_USAGE"];
if (isMainThread && folder !== undefined) {
  process.once("exit", () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const usage = { cpu: (userCPUTime + systemCPUTime) / 1e6, memory: maxRSS / 1024 };
    writeFileSync(path.join(folder, `${process.pid}.json`), JSON.stringify(usage));
  });
}
