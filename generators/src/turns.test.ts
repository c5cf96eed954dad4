import { expect, test } from "vitest";
import { takeTurns } from "./turns.js";

test("merges requests during a run into one more run, and never runs two at once", async () => {
  const log: string[] = [];
  let next = (): void => undefined;
  const turns = takeTurns(async () => {
    log.push("begins");
    await new Promise<void>((resolve) => (next = resolve));
    log.push("ends");
  });
  turns.ask();
  turns.ask();
  await new Promise(setImmediate);
  expect(log).toEqual(["begins"]);
  turns.ask();
  turns.ask();
  next();
  await new Promise(setImmediate);
  expect(log).toEqual(["begins", "ends", "begins"]);
  next();
  await turns.idle();
  expect(log).toEqual(["begins", "ends", "begins", "ends"]);
  turns.ask();
  await new Promise(setImmediate);
  next();
  await turns.idle();
  expect(log).toHaveLength(6);
});
