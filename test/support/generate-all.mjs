// Generates a client from each description given, in one process: generate-all.mjs OUT FILE…; prints what came of each as JSON.
// The overlay of `a.yaml` is `a.overlay.yaml`, where there is one.
import { existsSync } from "node:fs";
import path from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { main } from "../../generators/dist/cli.js";

const [out, ...files] = process.argv.slice(2);
const results = [];
for (const [index, file] of files.entries()) {
  const streams = { out: new PassThrough(), error: new PassThrough() };
  const said = Promise.all([text(streams.out), text(streams.error)]);
  const overlay = file.replace(/\.yaml$/, ".overlay.yaml");
  const options = file !== overlay && existsSync(overlay) ? ["--overlay", overlay] : [];
  const code = await main(["generate", "--spec", file, ...options, "--out", path.join(out, String(index))], {
    ...streams,
    folder: out,
  });
  streams.out.end();
  streams.error.end();
  results.push({ file, code, said: (await said).join("") });
}
console.log(JSON.stringify(results));
