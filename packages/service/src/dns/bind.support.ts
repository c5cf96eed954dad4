import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { findProgram } from "../system-programs.support.js";

/** Programs of BIND, if this machine has them. */
export const checkzone: string | undefined = findProgram("named-checkzone");
export const findNamed: string | undefined = findProgram("named");

/** The output of named-checkzone, which ends with `OK` for a valid zone. It looks up no other hosts. */
export function checkZone(zone: string, lines: readonly string[]): string {
  const folder = temporary();
  const file = join(folder, "zone");
  writeFileSync(file, `${lines.join("\n")}\n`);
  const { stdout, stderr } = spawnSync(checkzone ?? "", ["-i", "local", zone, file], { encoding: "utf8" });
  return `${stdout}${stderr}`.trim();
}

/** Runs named with zones that clients on this machine may transfer, except `closed` ones. Returns its address. */
export async function startNamed(
  zones: Readonly<Record<string, { readonly lines: readonly string[]; readonly closed?: true }>>,
): Promise<string> {
  const folder = temporary();
  mkdirSync(join(folder, "keys"));
  const port = await freePort();
  const entries = Object.entries(zones).map(([zone, { lines, closed }], index) => {
    writeFileSync(join(folder, `zone${index}`), `${lines.join("\n")}\n`);
    const whom = closed === true ? "none" : "127.0.0.1";
    return `zone "${zone}" { type primary; file "zone${index}"; check-names ignore; allow-transfer { ${whom}; }; };`;
  });
  const options = [
    `directory "${folder}";`,
    `pid-file "${join(folder, "pid")}";`,
    `session-keyfile "${join(folder, "session")}";`,
    `key-directory "keys"; managed-keys-directory "keys";`,
    `listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };`,
    "recursion no; dnssec-validation no; notify no; empty-zones-enable no;",
  ];
  const config = join(folder, "named.conf");
  writeFileSync(config, `options { ${options.join("\n")} };\ncontrols { };\n${entries.join("\n")}\n`);
  const running = spawn(findNamed ?? "", ["-g", "-c", config, "-n", "1"], { stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise((resolve) => running.once("exit", resolve));
  onTestFinished(async () => {
    running.kill("SIGTERM");
    await ended;
  });
  await new Promise<void>((resolve, reject) => {
    let said = "";
    running.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (/\brunning$/m.test(said)) resolve();
    });
    running.once("exit", () => reject(new Error(`named ended: ${said}`)));
  });
  return `127.0.0.1:${port}`;
}

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "cloud-compute-dns-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
