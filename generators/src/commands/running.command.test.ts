import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runnerOf, type Runner } from "./running.js";

/** Says when it begins, and goes on for a while after it was told to end. */
const slow = `node -e "
  const say = (what) => fs.appendFileSync('log', what + ' ');
  process.on('SIGTERM', () => setTimeout(() => (say('ended'), process.exit()), 300));
  setTimeout(() => undefined, 60_000);
  say('begun');"`.replaceAll("\n", "");

test("begins once where it is asked for twice while the one before is ending", async () => {
  const { runner, log } = await running(slow);
  const first = runner.run();
  await expect.poll(log, { timeout: 10_000 }).toBe("begun ");
  const others = [runner.run(), runner.run()];
  await expect.poll(log, { timeout: 10_000 }).toBe("begun ended begun ");
  expect(await Promise.all([first, others[0]])).toEqual([undefined, undefined]);
  await runner.stop();
  expect(await others[1]).toBeUndefined();
  expect(await log()).toBe("begun ended begun ended ");
});

test("begins no more where it is stopped while the one before is ending", async () => {
  const { runner, log } = await running(slow);
  void runner.run();
  await expect.poll(log, { timeout: 10_000 }).toBe("begun ");
  const other = runner.run();
  await runner.stop();
  expect(await other).toBeUndefined();
  expect(await log()).toBe("begun ended ");
});

test("is over when everything that the shell has started is", async () => {
  const { runner, log } = await running(`${slow} & wait`);
  void runner.run();
  await expect.poll(log, { timeout: 10_000 }).toBe("begun ");
  await runner.stop();
  expect(await log()).toBe("begun ended ");
});

test("ends what the shell has left behind", async () => {
  const { runner, log } = await running(`${slow} &`);
  expect(await runner.run()).toBe(0);
  await expect.poll(log, { timeout: 10_000 }).toBe("begun ");
  expect(await runner.run()).toBe(0);
  await expect.poll(log, { timeout: 10_000 }).toBe("begun ended begun ");
  await runner.stop();
  expect(await log()).toBe("begun ended begun ended ");
});

test("ends what does not want to end", async () => {
  const { runner, log } = await running(`trap '' TERM; echo begun > log; sleep 60; sleep 60`, 200);
  void runner.run();
  await expect.poll(log, { timeout: 10_000 }).toBe("begun\n");
  await runner.stop();
});

test("gives the exit code, and that of the signal which something else has ended it with", async () => {
  expect(await (await running("exit 3")).runner.run()).toBe(3);
  expect(await (await running("kill -9 $$")).runner.run()).toBe(137);
});

async function running(
  command: string,
  patience?: number,
): Promise<{ readonly runner: Runner; readonly log: () => Promise<string> }> {
  const folder = await mkdtemp(path.join(tmpdir(), "plumbline-test-"));
  const runner = runnerOf(command, { folder, quiet: true, ...(patience === undefined ? {} : { patience }) });
  onTestFinished(async () => {
    await runner.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return { runner, log: () => readFile(path.join(folder, "log"), "utf8").catch(() => "") };
}
