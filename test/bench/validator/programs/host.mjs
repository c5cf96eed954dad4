// host.mjs SERVER once: starts a server, sends a create, and prints the milliseconds from the start of the process to the response.
// host.mjs SERVER: serves, and sends its port to the parent process, and on request its CPU time in microseconds.
import { request } from "node:http";
import { valid } from "./bodies.mjs";

process.env.NODE_ENV = "production";
const [name, once] = process.argv.slice(2);
const { server } = await import(`./serve-${name}.mjs`);

server.listen(0, "127.0.0.1", () => {
  const { port } = server.address();
  if (once === "once") ask(port);
  else {
    process.on("message", () => {
      const { user, system } = process.cpuUsage();
      process.send({ cpu: user + system });
    });
    process.once("disconnect", () => process.exit());
    process.send({ port });
  }
});

function ask(port) {
  const body = JSON.stringify(valid);
  const headers = { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) };
  const asked = request(
    { port, host: "127.0.0.1", method: "POST", path: "/v4/compute/instances", headers },
    (reply) => {
      const taken = performance.now();
      if (reply.statusCode !== 200) throw new Error(`${name} answers ${reply.statusCode}.`);
      console.log(JSON.stringify(taken));
      process.exit();
    },
  );
  asked.end(body);
}
