// Services with some of their files replaced. Over IPC comes `{ id, program, sources, args }` for each start and `{ id, stop: true }` for each
// end; `{ id, ready }`, `{ id }` or `{ id, error }` goes back.
import { register } from "node:module";
import { MessageChannel } from "node:worker_threads";

const { port1: hooks, port2: port } = new MessageChannel();
register("./program-hooks.mjs", import.meta.url, { data: { port }, transferList: [port] });

const services = new Map();
/** What goes on when the hooks have the texts of a service. */
const known = new Map();
hooks.on("message", (id) => known.get(id)?.());
process.on("disconnect", () => process.exit());

process.on("message", ({ id, stop, ...wanted }) => {
  const done = stop === true ? end(id) : begin(id, wanted);
  done.then(
    (ended) => process.send({ id, ...ended }),
    (error) => process.send({ id, error: error instanceof Error ? error.stack : String(error) }),
  );
});

async function begin(id, { program, sources, args }) {
  await new Promise((resolve) => {
    known.set(id, resolve);
    hooks.postMessage({ id, sources });
  });
  const { optionsOf, startService } = await import(`${program}?service=${id}`);
  const service = await startService(optionsOf(args, {}));
  services.set(id, service);
  const { url, controls, token } = service;
  return { ready: { url, controls, token } };
}

async function end(id) {
  await services.get(id)?.close();
  services.delete(id);
  return {};
}
