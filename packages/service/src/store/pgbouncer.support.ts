import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { findProgram } from "../system-programs.support.js";
import { freePort } from "./postgres.support.js";

/** PgBouncer, if this machine has it. */
export const pgbouncer: string | undefined = findProgram("pgbouncer");

/** A pooler before a PostgreSQL, which lends connections for one transaction. */
export interface Pooler {
  /** The URL of a database through the pooler. */
  through(url: string): string;
  close(): Promise<void>;
}

/** Starts PgBouncer in its transaction mode before the server of a URL. */
export async function startPooler(server: string): Promise<Pooler> {
  const { hostname, port: serverPort, username, password } = new URL(server);
  const folder = mkdtempSync(join(tmpdir(), "plumbline-pgbouncer-"));
  // PgBouncer does not run as root, and its user needs the files.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const settings = join(folder, "pgbouncer.ini");
  const users = join(folder, "users.txt");
  writeFileSync(users, `"${username}" "${password}"\n`);
  writeFileSync(
    settings,
    [
      "[databases]",
      `* = host=${hostname} port=${serverPort} user=${username} password=${password}`,
      "[pgbouncer]",
      `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =`,
      `auth_type = trust\nauth_file = ${users}`,
      "pool_mode = transaction\ndefault_pool_size = 20\nmax_client_conn = 400",
    ].join("\n"),
  );
  const asOther = process.getuid?.() === 0 ? ["-u", "postgres"] : [];
  const child = spawn(pgbouncer ?? "pgbouncer", [...asOther, settings], { stdio: ["ignore", "ignore", "pipe"] });
  const exited = once(child, "exit");
  for await (const line of createInterface(child.stderr)) if (line.includes("process up")) break;
  child.stderr.resume();
  if (child.exitCode !== null) throw new Error("PgBouncer ended before it was ready");
  return {
    through: (url) => {
      const pooled = new URL(url);
      pooled.port = String(port);
      return pooled.href;
    },
    close: async () => {
      child.kill("SIGINT");
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
