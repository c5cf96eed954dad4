// One instance on Fastify by hand, from the same database, without authentication, checks or removal of fields.
import { join } from "node:path";
import fastify from "fastify";
import Database from "libsql";

export async function listen(folder) {
  const database = new Database(join(folder, "cloud-compute.db"));
  const one = database.prepare("select doc from instances where id = ?");
  const app = fastify();
  app.get("/v4/compute/instances/:id", (request, reply) => {
    const row = one.get(Number(request.params.id));
    if (row === undefined) return reply.code(404).send({ errors: [{ reason: "Not found" }] });
    return reply.send(JSON.parse(row.doc));
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  return app.server.address().port;
}
