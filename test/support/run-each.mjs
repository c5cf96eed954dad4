// Runs the command several times in one process, since most of a short run is its start: run-each.mjs JSON, a list of
// {args, folder}; prints the code, output and errors of each as JSON.
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { main } from "../../packages/plumbline/dist/cli.js";

const results = [];
for (const { args, folder } of JSON.parse(process.argv[2])) {
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  const said = Promise.all([text(streams.stdout), text(streams.stderr)]);
  const code = await main(args, { ...streams, folder });
  streams.stdout.end();
  streams.stderr.end();
  const [out, error] = await said;
  results.push({ code, out, error });
}
console.log(JSON.stringify(results));
