import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { symlink } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { startOwnPostgres } from "../../packages/service/src/store/postgres.support.js";
import { run } from "../../packages/service/test/support/program.js";
import { repository, temporaryFolder } from "../support/places.js";
import { readTracked } from "../support/tracked.js";

const page = readTracked("packages/service/OPERATING.md");
const commands = [...page.matchAll(/```sh\n([^]*?)```/g)].map(([, text = ""]) => text.trim());
const token = "0123456789abcdef".repeat(4);

/** The names in the first column of the tables of a section. */
function namesIn(section: string): readonly string[] {
  const [, text = ""] = page.split(`## ${section}\n`);
  const rows = [...(text.split("\n## ")[0] ?? "").matchAll(/^\| (`[^|]+`) \|/gm)];
  return rows.flatMap(([, names = ""]) => [...names.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name));
}

describe("the page about operating the service", () => {
  let log = "";

  it("has commands that work, and names what they print", async () => {
    const [start = "", asks = "", ...others] = commands;
    expect(others.map((each) => each.split(" ", 2)[1])).toEqual(["backup", "move", "export"]);
    const { url, admin } = await begin(start);
    const printed = await runInShell(asks.replaceAll("http://127.0.0.1:8082", admin));
    expect(printed).toContain('{"status":"live"}');
    expect(printed).toContain('"status":"ready"');
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    await (await fetch(`${url}/tags`, { headers: { authorization: `Bearer ${token}`, traceparent } })).text();
    await expect.poll(() => log).toContain('"operation":"listTags"');
    const metrics = [...printed.matchAll(/^# TYPE (\w+)/gm)].map(([, name = ""]) => name);
    const listed = namesIn("Metrics").filter((name) => /^(cloud_compute|nodejs|process)_/.test(name));
    expect(listed.filter((name) => !metrics.includes(name))).toEqual([]);
    expect(metrics.filter((name) => name.startsWith("cloud_compute_") && !listed.includes(name))).toEqual([]);
    const line = log.split("\n").find((each) => each.includes('"operation":"listTags"')) ?? "{}";
    const { level, time, pid, hostname, ...fields } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    expect([level, typeof time, typeof pid, typeof hostname]).toEqual([30, "number", "number", "string"]);
    expect(Object.keys(fields).toSorted()).toEqual(namesIn("Log of requests").toSorted());
  });

  it("has commands that save a store and restore it", async () => {
    const folder = await programFolder();
    const saves = commands.find((each) => each.startsWith("cloud-compute backup")) ?? "";
    const printed = await runInShell(
      `export PATH="${folder}:$PATH"; cd ${folder}; cloud-compute migrate --data ${folder}/cloud; ${saves.replaceAll("/srv/", `${folder}/`)}`,
    );
    expect(printed.split("\n").slice(1)).toEqual([
      "cloud.backup has the store, and the data of 0 images.",
      `${folder}/restored has the store, and the data of 0 images.`,
      "",
    ]);
  });

  it("has commands that move a store to PostgreSQL and back", async () => {
    const folder = await programFolder();
    const [postgres, data] = [await startOwnPostgres(), path.join(folder, "cloud")];
    onTestFinished(() => postgres.close());
    const { end } = await run(["--data", data]);
    await end("SIGTERM");
    const moves = commands.filter((each) => /^cloud-compute (move|export)/.test(each)).join("; ");
    const printed = await runInShell(
      `export PATH="${folder}:$PATH"; cd ${folder}; ${moves.replaceAll("/srv/", `${folder}/`).replaceAll("postgres://localhost/cloud", postgres.url)}`,
    );
    const content = /\d+ rows, and the data of 0 images\.$/.exec(printed.trim())?.[0] ?? "";
    expect(printed.trim().split("\n")).toEqual([
      `The store has ${content}`,
      `The store has ${content}`,
      `cloud.jsonl has ${content}`,
      `The store has ${content}`,
    ]);
  });

  /** Starts the service as the page says, on free ports. */
  async function begin(command: string): Promise<{ readonly url: string; readonly admin: string }> {
    const folder = await programFolder();
    const line = command.replace("--port 8080", "--port 0").replace("--admin-port 8082", "--admin-port 0");
    expect(line).not.toBe(command);
    const child = spawn("bash", ["-c", `exec ${line}`], {
      env: { ...process.env, PATH: `${folder}:${process.env["PATH"] ?? ""}`, CLOUD_COMPUTE_TOKEN: token },
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(async () => {
      child.kill();
      await once(child, "exit");
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
    const [ready] = (await once(createInterface(child.stdout), "line")) as [string];
    await expect.poll(() => log).toContain('"msg":"ready"');
    const [, admin = ""] = /"admin":"([^"]+)"/.exec(log) ?? [];
    return { ...(JSON.parse(ready) as { readonly url: string }), admin };
  }
});

/** A folder with the program. */
async function programFolder(): Promise<string> {
  const folder = await temporaryFolder();
  const program = path.join(repository, "packages", "service", "bin", "cloud-compute.js");
  await symlink(program, path.join(folder, "cloud-compute"));
  return folder;
}

async function runInShell(text: string): Promise<string> {
  const { stdout } = await promisify(execFile)("bash", ["-euc", text]);
  return stdout;
}
