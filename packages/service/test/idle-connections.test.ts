import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import * as api from "@cloud-compute/client";
import { expect, onTestFinished, test } from "vitest";
import { isFull } from "./support/form.js";
import { residentOf, run } from "./support/program.js";
import { statusOf } from "./support/status.js";

const count = isFull ? 10_000 : 1000;

/** Open files, of the service and of this process, which has the other ends. */
const neededFiles = count + 500;

test(`${count} idle connections take little memory, leave room for others, and end with the service`, async () => {
  // Node raises its soft limit to the hard one.
  const files = execFileSync("sh", ["-c", "ulimit -Hn"], { encoding: "utf8" }).trim();
  expect(files === "unlimited" ? Infinity : Number(files), `files; ${neededFiles} are needed`).toBeGreaterThan(
    neededFiles,
  );
  const program = await run(["--data", ":memory:", "--max-connections", String(count + 100)]);
  expect(await statusOf(api.listTags(program.admin))).toBe(200);
  const before = residentOf(program);
  const { port } = new URL(program.url);
  const idle: Socket[] = [];
  onTestFinished(() => idle.forEach((socket) => socket.destroy()));
  let ended = 0;
  while (idle.length < count) {
    const sockets = Array.from({ length: 100 }, () => connect(Number(port), "127.0.0.1"));
    idle.push(...sockets);
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    for (const socket of sockets) socket.on("error", () => {}).on("close", () => (ended += 1));
  }
  // The service has accepted all of them when it answers a later one.
  for (let index = 0; index < 20; index += 1)
    expect(await statusOf(api.createTag(program.admin, { body: { label: `tag-${index}` } }))).toBe(200);
  const perConnection = (residentOf(program) - before) / count;
  console.log(`${count} idle connections: ${Math.round(perConnection / 1024)} KB of memory each`);
  expect(perConnection).toBeLessThan(50 * 1024);
  expect(ended).toBe(0);
  const gone = idle.map((socket) => once(socket, "close"));
  expect(await program.end("SIGTERM")).toBe(0);
  await Promise.all(gone);
  expect(ended).toBe(count);
});
