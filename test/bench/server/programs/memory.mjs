// memory.mjs SERVER: starts a server of everything, calls each operation once, and prints the memory of the process, in bytes, as JSON.
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";

process.env.NODE_ENV = "production";
const { server } = await import(`./everything-${process.argv[2]}.mjs`);
const calls = JSON.parse(readFileSync("calls.json", "utf8"));
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let succeeded = 0;
for (const call of calls) {
  const status = await statusOf(call);
  if (status < 300) succeeded += 1;
  // A rejected request was validated as well; a failed or unknown one was not.
  if (status >= 500 || status === 404 || status === 405) throw new Error(`${call.method} ${call.target}: ${status}`);
}
agent.destroy();
server.closeAllConnections();
await new Promise((resolve) => setTimeout(resolve, 100));
gc();
gc();
const { heapUsed: heap, rss } = process.memoryUsage();
console.log(JSON.stringify({ heap, rss, succeeded }));
process.exit();

function statusOf({ method, target, body }) {
  const { port } = server.address();
  const headers = {
    authorization: "Bearer t",
    ...(body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    const asked = request({ agent, port, host: "127.0.0.1", method, path: target, headers }, (reply) => {
      reply.resume().on("end", () => resolve(reply.statusCode));
    });
    asked.on("error", reject).end(body);
  });
}
