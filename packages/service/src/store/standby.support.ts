import { execFile, execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { Client } from "pg";
import { findProgram } from "../system-programs.support.js";
import { freePort } from "./postgres.support.js";

const folders = "/usr/lib/postgresql";

/** The programs of Debian's newest PostgreSQL, if this machine has it. */
export const postgresPrograms: string | undefined =
  findProgram("pg_basebackup") === undefined || !existsSync(folders)
    ? undefined
    : readdirSync(folders)
        .map((version) => join(folders, version, "bin"))
        .findLast((folder) => existsSync(join(folder, "postgres")));

/** A primary and a standby that has each write before it is acknowledged. */
export interface PostgresPair {
  readonly primary: string;
  readonly standby: string;
  /** Kills the primary, as a loss of its machine would. */
  killPrimary(): Promise<void>;
  /** Makes the standby a primary. */
  promote(): Promise<void>;
  close(): Promise<void>;
}

/** Starts both, with streaming replication. */
export async function startPair(): Promise<PostgresPair> {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-standby-"));
  chmodSync(folder, 0o777);
  const data = (name: string): string => join(folder, name);
  const [primaryPort, standbyPort] = [await freePort(), await freePort()];
  const tool = async (name: string, ...args: readonly string[]): Promise<void> => {
    await promisify(execFile)(join(postgresPrograms ?? "", name), args, { ...owner(), cwd: folder });
  };
  await tool("initdb", "-D", data("primary"), "-U", "postgres", "-A", "trust", "--locale=C", "-E", "UTF8", "--no-sync");
  const primary = await start(data("primary"), primaryPort);
  const from = ["-h", "127.0.0.1", "-p", String(primaryPort), "-U", "postgres"];
  await tool("pg_basebackup", ...from, "-D", data("standby"), "-R", "-c", "fast", "--no-sync");
  const standby = await start(data("standby"), standbyPort);
  await execute(urlOf(primaryPort), "alter system set synchronous_standby_names = '*'");
  await execute(urlOf(primaryPort), "select pg_reload_conf()");
  return {
    primary: urlOf(primaryPort),
    standby: urlOf(standbyPort),
    killPrimary: () => end(primary),
    promote: () => execute(urlOf(standbyPort), "select pg_promote()"),
    close: async () => {
      await Promise.all([primary, standby].map(end));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL does not run as root. */
function owner(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

async function start(data: string, port: number): Promise<ChildProcess> {
  const settings = [`port=${port}`, "listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"];
  const args = ["-D", data, ...settings.flatMap((setting) => ["-c", setting])];
  const server = spawn(join(postgresPrograms ?? "", "postgres"), args, {
    ...owner(),
    cwd: data,
    env: { PATH: process.env["PATH"], LC_ALL: "C" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  for await (const line of createInterface(server.stderr))
    if (line.includes("ready to accept")) {
      server.stderr.resume();
      return server;
    }
  throw new Error("PostgreSQL ended before it was ready");
}

/** Its other processes end when they notice. */
async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill("SIGKILL");
  await once(server, "exit");
}

async function execute(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(text);
  await client.end();
}

function urlOf(port: number): string {
  return `postgres://postgres@127.0.0.1:${port}/postgres`;
}
