// start.mjs FOLDER: starts the service as its users do, on a folder that is not there yet, and prints the milliseconds until it was ready.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";

const folder = process.argv[2];
const program = "node_modules/@cloud-compute/service/bin/cloud-compute.js";
const started = performance.now();
const child = spawn(process.execPath, [program, "serve", "--data", folder, "--port", "0", "--log", "warn"], {
  stdio: ["ignore", "pipe", "inherit"],
});
const ended = once(child, "exit");
const [line] = await Promise.race([once(child.stdout, "data"), ended.then(() => [""])]);
const milliseconds = performance.now() - started;
if (JSON.parse(String(line)).ready !== true) throw new Error(`The service is not ready: ${line}`);
child.kill();
await ended;
rmSync(folder, { recursive: true, force: true });
console.log(JSON.stringify({ milliseconds }));
