import { expect, test } from "vitest";
import { createRunQueue } from "./run-queue.js";

test("merges requests during a run into one more run, and never runs two at once", async () => {
  const log: string[] = [];
  let next = (): void => undefined;
  const turns = createRunQueue(async () => {
    log.push("begins");
    await new Promise<void>((resolve) => (next = resolve));
    log.push("ends");
  });
  turns.enqueue();
  turns.enqueue();
  await new Promise(setImmediate);
  expect(log).toEqual(["begins"]);
  turns.enqueue();
  turns.enqueue();
  next();
  await new Promise(setImmediate);
  expect(log).toEqual(["begins", "ends", "begins"]);
  next();
  await turns.idle();
  expect(log).toEqual(["begins", "ends", "begins", "ends"]);
  turns.enqueue();
  await new Promise(setImmediate);
  next();
  await turns.idle();
  expect(log).toHaveLength(6);
});
