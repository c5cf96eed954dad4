// Generates packages from each description, in one process with one linter: generate-all.mjs OUT ARTIFACTS FILE…; prints the result of each as
// JSON. ARTIFACTS as after --only; all where it is empty. The overlay of `a.yaml` is `a.overlay.yaml`, where there is one.
import { existsSync } from "node:fs";
import path from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { shareLintWorker } from "@plumbline/kit/openapi/lint-worker";
import { main } from "../../packages/plumbline/dist/cli.js";

shareLintWorker();
const [out, artifacts, ...files] = process.argv.slice(2);
const results = [];
for (const [index, file] of files.entries()) {
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  const said = Promise.all([text(streams.stdout), text(streams.stderr)]);
  const args = ["generate", "--spec", file, "--out", path.join(out, String(index))];
  const overlay = file.replace(/\.yaml$/, ".overlay.yaml");
  const overlays = file !== overlay && existsSync(overlay) ? ["--overlay", overlay] : [];
  const only = artifacts === "" ? [] : ["--only", artifacts];
  const code = await main([...args, ...overlays, ...only], { ...streams, folder: out });
  streams.stdout.end();
  streams.stderr.end();
  results.push({ file, code, said: (await said).join("") });
}
console.log(JSON.stringify(results));
