import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createCommandRunner, type CommandRunner } from "./command-runner.js";

/** Logs its start, and needs a while to end after SIGTERM. */
const slow = `node -e "
  const say = (what) => fs.appendFileSync('log', what + ' ');
  process.on('SIGTERM', () => setTimeout(() => (say('ended'), process.exit()), 300));
  setTimeout(() => undefined, 600_000);
  say('begun');"`.replaceAll("\n", "");

test("starts once for two requests while the previous run is ending", async () => {
  const { runner, log } = await running(slow);
  const first = runner.run();
  await expect.poll(log).toBe("begun ");
  const others = [runner.run(), runner.run()];
  await expect.poll(log).toBe("begun ended begun ");
  expect(await Promise.all([first, others[0]])).toEqual([undefined, undefined]);
  await runner.stop();
  expect(await others[1]).toBeUndefined();
  expect(await log()).toBe("begun ended begun ended ");
});

test("does not start after a stop while the previous run is ending", async () => {
  const { runner, log } = await running(slow);
  void runner.run();
  await expect.poll(log).toBe("begun ");
  const other = runner.run();
  await runner.stop();
  expect(await other).toBeUndefined();
  expect(await log()).toBe("begun ended ");
});

test("ends when all processes of the shell have ended", async () => {
  const { runner, log } = await running(`${slow} & wait`);
  void runner.run();
  await expect.poll(log).toBe("begun ");
  await runner.stop();
  expect(await log()).toBe("begun ended ");
});

test("ends background processes of the shell", async () => {
  const { runner, log } = await running(`${slow} &`);
  expect(await runner.run()).toBe(0);
  await expect.poll(log).toBe("begun ");
  expect(await runner.run()).toBe(0);
  await expect.poll(log).toBe("begun ended begun ");
  await runner.stop();
  expect(await log()).toBe("begun ended begun ended ");
});

test("ends a process that ignores SIGTERM", async () => {
  const { runner, log } = await running(`trap '' TERM; echo begun > log; sleep 600; sleep 600`, 200);
  void runner.run();
  await expect.poll(log).toBe("begun\n");
  await runner.stop();
});

test("returns the exit code, or 128 and the number of the signal that ended it", async () => {
  expect(await (await running("exit 3")).runner.run()).toBe(3);
  expect(await (await running("kill -9 $$")).runner.run()).toBe(137);
});

async function running(
  command: string,
  // Longer than any machine needs to end a process.
  gracePeriodMs = 600_000,
): Promise<{ readonly runner: CommandRunner; readonly log: () => Promise<string> }> {
  const folder = await mkdtemp(path.join(tmpdir(), "plumbline-test-"));
  const runner = createCommandRunner(command, { folder, quiet: true, gracePeriodMs });
  onTestFinished(async () => {
    await runner.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return { runner, log: () => readFile(path.join(folder, "log"), "utf8").catch(() => "") };
}
