import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { address, handsOver, nameserver, zoneWith } from "../src/dns/nameserver.support.js";
import type { Store } from "../src/store/store.js";
import type { Survey } from "../src/store/transaction.js";
import * as controls from "../src/testing/index.js";
import { filesOtherwise } from "./support/files.js";
import { isFull } from "./support/form.js";
import { brokenInvariants, unsettled } from "./support/invariants.js";
import { newLife, operationNames, type Life } from "./support/life.js";
import { residentOf, run, type Program } from "./support/program.js";
import { randomFrom } from "./support/random.js";
import { inFile, onPostgres, type Place } from "./support/stores.js";

// The loop runs for a second or two, the full form for a quarter of an hour on each store.
const minutes = Number(process.env["LIFE_MINUTES"] ?? (isFull ? 15 : 1 / 40));
const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
const isLong = minutes >= 2;

test.each([
  ["in a file", () => inFile(), ["killed", "settled"]],
  ["on PostgreSQL", () => onPostgres(), ["asked", "settled"]],
] as const)(
  `everything holds in ${minutes * 60} seconds of life, %s (seed ${seed})`,
  async (kind, newPlace, shortEnds) => {
    const place = await newPlace();
    const life = newLife(seed, await aNameserver());
    const whole = minutes * 60_000;
    // The first third has many ends, and the rest none, so that growth is visible.
    const rounds = isLong ? [...ends, ...ends, ...ends] : shortEnds;
    const length = (isLong ? whole / 3 : whole) / rounds.length;
    for (const [round, end] of rounds.entries()) await aRound({ life, place, length, end, name: `round ${round}` });
    if (isLong) await aLongRound({ life, place, length: (whole * 2) / 3 });

    const { tally } = life;
    const never = tally.neverDone(operationNames);
    console.log(
      `${kind}, seed ${seed}: ${tally.requests()} requests, the slowest ${tally.slowest()}; never done: ${never.join(", ")}`,
    );
    if (isLong) console.log(tally.report(operationNames));
    expect(operationNames.length).toBeGreaterThanOrEqual(92);
    if (isLong) expect(never).toEqual([]);
  },
  minutes * 60_000 * 1.5 + 120_000,
);

/** How rounds end: settled, killed during requests, or stopped by a signal during requests. */
const ends = ["settled", "killed", "asked", "settled"] as const;

interface Round {
  readonly life: Life;
  readonly place: Place;
  /** Milliseconds. */
  readonly length: number;
}

async function aRound(round: Round & { readonly end: (typeof ends)[number]; readonly name: string }): Promise<void> {
  const { life, place, length, end, name } = round;
  const program = await run([...place.args, "--pace", "600"]);
  const going = await life.on(program);
  await wait(length);
  if (end === "settled") {
    await going.stop();
    await settled(program);
    expect(await program.end("SIGTERM"), name).toBe(0);
    expect(await found(place, () => place.open(), [brokenInvariants, unsettled]), name).toEqual([]);
  } else {
    life.tally.programEnds();
    const code = await program.end(end === "killed" ? "SIGKILL" : "SIGTERM");
    await going.stop();
    expect(code, name).toBe(end === "killed" ? null : 0);
    expect(await found(place, () => place.open(), [brokenInvariants]), name).toEqual([]);
  }
  expect({ log: logged(program), errors: life.tally.errors() }, name).toEqual({ log: [], errors: [] });
}

/** One program keeps running. Now and then everything settles, and the test checks the store. */
async function aLongRound({ life, place, length }: Round): Promise<void> {
  const program = await run([...place.args, "--pace", "600"]);
  const memory: number[] = [];
  const jobs: number[] = [];
  const looks = Math.max(8, Math.round(length / 30_000));
  for (let look = 0; look < looks; look += 1) {
    const going = await life.on(program);
    await wait(length / looks);
    await going.stop();
    await settled(program);
    memory.push(residentOf(program));
    process.kill(program.pid, "SIGSTOP");
    const wrong = await found(place, () => place.copy(), [
      brokenInvariants,
      unsettled,
      async (tx) => {
        jobs.push(await tx.jobs.count());
        return [];
      },
    ]);
    process.kill(program.pid, "SIGCONT");
    expect({ wrong, log: logged(program), errors: life.tally.errors() }, `look ${look}`).toEqual({
      wrong: [],
      log: [],
      errors: [],
    });
  }
  expect(await program.end("SIGTERM")).toBe(0);
  console.log(`memory in MB: ${memory.map((each) => Math.round(each / 1_048_576)).join(" ")}; jobs: ${jobs.join(" ")}`);
  // The first third is the warm-up.
  const warm = memory.slice(Math.floor(memory.length / 3));
  const half = Math.floor(warm.length / 2);
  expect(meanOf(warm.slice(half)) / meanOf(warm.slice(0, half))).toBeLessThan(1.25);
  expect(Math.max(...jobs)).toBeLessThan(300);
}

/** Releases held jobs, and waits until nothing is running. */
async function settled({ controls: control }: Program): Promise<void> {
  await controls.hold(control, { body: { hold: false } });
  await controls.advanceClock(control, { body: { advance: "PT1S" } });
  await controls.settle(control);
}

async function found(
  place: Place,
  open: () => Promise<Store>,
  looks: readonly ((tx: Survey) => Promise<readonly string[]>)[],
): Promise<string[]> {
  const store = await open();
  try {
    const wrong: string[] = [];
    for (const look of looks) wrong.push(...(await store.survey(Date.now(), look)));
    const isSettled = looks.length > 1;
    return [
      ...wrong,
      ...(await store.survey(Date.now(), (tx) => filesOtherwise(tx, { folder: place.uploads, isSettled }))),
    ];
  } finally {
    await store.close();
  }
}

/** The first lines of the log about errors. */
function logged(program: Program): readonly string[] {
  return program
    .log()
    .split("\n", 5)
    .filter((line) => line !== "");
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length;
}

/** Transfers most zones, and rejects the transfer of some. */
async function aNameserver(): Promise<string> {
  const random = randomFrom(seed);
  return nameserver(async (asked) => {
    const { question, socket, send } = asked;
    if (random.below(4) === 0) return void socket.destroy();
    if (random.below(4) === 0) return send([]);
    const zone = question.name;
    const records = Array.from({ length: random.below(30) }, (_, index) => address(`host-${index}.${zone}`));
    return handsOver(zoneWith(records, zone), 10)(asked);
  });
}
