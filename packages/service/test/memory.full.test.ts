import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { nameserver } from "../src/dns/nameserver.support.js";
import * as controls from "../src/testing/index.js";
import { newLife } from "./support/life.js";
import { residentOf, run, type Program } from "./support/program.js";
import { inFile, onPostgres } from "./support/stores.js";

const hours = 24;
/** Seconds of use in an hour of the service's clock. */
const secondsOfHour = Number(process.env["LIFE_SECONDS"] ?? 5);
const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
const preloaded = ["env", `NODE_OPTIONS=--import=${new URL("support/measure-heap.mjs", import.meta.url).href}`];

test.each([
  ["in a file", () => inFile()],
  ["on PostgreSQL", () => onPostgres()],
])(
  `memory does not grow over ${hours} hours of life, %s (seed ${seed})`,
  async (kind, newPlace) => {
    const { args } = await newPlace();
    const program = await run([...args, "--pace", "600"], undefined, { within: preloaded });
    const life = newLife(seed, await nameserver(async ({ socket }) => void socket.destroy()));
    const heaps: number[] = [];
    const resident: number[] = [];
    for (let hour = 1; hour <= hours; hour += 1) {
      const going = await life.on(program);
      await wait(secondsOfHour * 1000);
      await going.stop();
      await controls.hold(program.controls, { body: { hold: false } });
      await controls.advanceClock(program.controls, { body: { advance: "PT1H" } });
      await controls.settle(program.controls);
      heaps.push(await heapOf(program));
      resident.push(residentOf(program));
    }
    const inMb = (bytes: readonly number[]): string => bytes.map((each) => (each / 1_048_576).toFixed(1)).join(" ");
    console.log(`${kind}, ${life.tally.requests()} requests; heap in MB: ${inMb(heaps)}; resident: ${inMb(resident)}`);
    // The first quarter is the warm-up.
    const [second, third] = [heaps.slice(hours / 4, hours / 2), heaps.slice(hours / 2)];
    expect(Math.max(...third) / Math.max(...second)).toBeLessThan(1.15);
    expect(await program.end("SIGTERM")).toBe(0);
  },
  hours * secondsOfHour * 1000 * 4 + 120_000,
);

/** Bytes that the program uses after a collection of garbage. */
async function heapOf({ pid, log }: Program): Promise<number> {
  const measured = () => [...log().matchAll(/^heap (\d+)$/gm)];
  const { length } = measured();
  process.kill(pid, "SIGUSR2");
  await expect.poll(measured).toHaveLength(length + 1);
  return Number(measured().at(-1)?.[1]);
}
