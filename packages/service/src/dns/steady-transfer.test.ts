import { expect, test } from "vitest";
import { maxMessageBytes } from "./axfr.js";
import { nameserver } from "./nameserver.support.js";
import { transferInSteadyTime, type TransferClock } from "./steady-transfer.js";

test.each([
  ["at once", 0, maxMessageBytes],
  ["after a while", 400, maxMessageBytes - 400],
])("a transfer that fails %s waits for the rest of the time that a silent nameserver has", async (_, took, rest) => {
  const [begun, failed] = [5000, 5000 + took];
  const times = [begun, failed];
  const waits: (number | AbortSignal | undefined)[] = [];
  let end = (): void => undefined;
  const clock: TransferClock = {
    now: () => times.shift() ?? failed,
    sleep: async (...wait) => {
      waits.push(...wait);
      return new Promise((resolve) => (end = resolve));
    },
  };
  const { signal } = new AbortController();
  const at = await nameserver(({ socket }) => void socket.end("no message"));
  const transfer = transferInSteadyTime({ zone: "example.com", nameserver: at, allowsLoopback: true, signal }, clock);
  let isOver = false;
  const ended = transfer.catch((error: unknown) => error).finally(() => (isOver = true));
  while (waits.length === 0) await new Promise(setImmediate);
  expect(waits).toEqual([rest, signal]);
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  end();
  expect(await ended).toMatchObject({ name: "TransferError" });
});
