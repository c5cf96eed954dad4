import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isWriting, killed, randomFrom, stepsOf, stopped, ticketsIn } from "../support/killing.js";
import { repository } from "../support/places.js";
import { seed } from "../support/property-testing.js";
import { plumbline, plumblineProgram } from "../support/run.js";
import {
  bothEditions,
  copyOf,
  differing,
  generating,
  removeEditions,
  stateOf,
  writingEach,
  type Edition,
  type Made,
  type State,
} from "../support/shop.js";

let whole: Readonly<Record<Edition, Made>>;
beforeAll(async () => (whole = await bothEditions()));
afterAll(() => removeEditions(whole));

/** The program that writes an edition where it runs, with its arguments. */
function writing(edition: Edition, folder: string): readonly string[] {
  if (isFull) return [plumblineProgram, ...generating(edition)];
  const [script, list] = writingEach(whole, [{ edition, in: folder }]);
  return [path.join(repository, "test", "support", script), JSON.stringify(list)];
}

const isFull = process.env["MODE"] === "full";
const rounds = Number(process.env["ROUNDS"] ?? (isFull ? 200 : 3));

it(
  `of ${rounds} runs killed at any step (SEED=${seed}) none leaves half a file, and the next completes`,
  async () => {
    const random = randomFrom(seed);
    const folder = await copyOf(whole.a.folder);
    const client = path.join(folder, "made/client");
    const steps = await stepsOf(writing("b", folder), folder);
    const hits = { "before it wrote": 0, "while it staged": 0, "while it committed": 0, "when it was done": 0 };
    let edition: Edition = "b";
    for (let round = 1; round <= rounds; round += 1) {
      const to = other(edition);
      // From all parts of a run.
      const step = Math.max(1, Math.floor(((round - random()) / rounds) * steps));
      await killed(writing(to, folder), folder, step);

      const left = await stateOf(folder);
      const wrong = faultsIn(left, whole[edition].state, whole[to].state);
      expect(wrong, `round ${round}, killed in step ${step} of ${steps}`).toEqual([]);
      const isChanged = Object.entries(whole[edition].state).some(([name, text]) => left[name] !== text);
      if (isWriting(client)) hits[isChanged ? "while it committed" : "while it staged"] += 1;
      else hits[isChanged ? "when it was done" : "before it wrote"] += 1;

      edition = random() < 0.5 ? "a" : "b";
      expect(await plumbline(generating(edition), { in: folder })).toMatchObject({ code: 0, error: "" });
      expect(differing(await stateOf(folder), whole[edition].state)).toEqual([]);
    }
    console.log(`Runs were killed: ${JSON.stringify(hits)}; one has ${steps} steps.`);
    expect(Math.min(hits["while it staged"], hits["while it committed"])).toBeGreaterThan(0);
  },
  300_000 + rounds * 30_000,
);

it("of two runs at once the second waits for the first, and has the last word", async () => {
  const folder = await copyOf(whole.a.folder);
  const client = path.join(folder, "made/client");
  // Those before it lock the folders.
  const goOn = await stopped(writing("b", folder), folder, 10);
  const half = await stateOf(folder);
  const ended = new AbortController();
  const second = plumbline(generating("a"), { in: folder }).finally(() => ended.abort());
  while (!ended.signal.aborted && ticketsIn(client) < 2) await setImmediate();
  expect(faultsIn(await stateOf(folder), half, half)).toEqual([]);
  expect(await goOn()).toBe(0);
  expect(await second).toMatchObject({ code: 0, error: "" });
  expect(differing(await stateOf(folder), whole.a.state)).toEqual([]);
});

it("finds an incomplete file, a missing one, a changed foreign one and an additional one", () => {
  const a = { ours: "a", "ours of a": "a", theirs: "1", "made/client/.plumbline.json": listing("ours", "ours of a") };
  const b = { ours: "b", "ours of b": "b", theirs: "1", "made/client/.plumbline.json": listing("ours", "ours of b") };
  const both = { "made/client/.plumbline.json": listing("ours", "ours of a", "ours of b") };
  expect(faultsIn(a, a, b)).toEqual([]);
  expect(faultsIn(b, a, b)).toEqual([]);
  expect(faultsIn({ ...a, ...b, ...both, [`ours.${id}.plumbline-tmp`]: "o" }, a, b)).toEqual([]);
  expect(faultsIn({ ...a, ours: "" }, a, b)).toEqual(["ours"]);
  expect(faultsIn({ ...a, theirs: "2" }, a, b)).toEqual(["theirs"]);
  expect(faultsIn({ ...a, more: "" }, a, b)).toEqual(["more"]);
  expect(faultsIn({ ...a, "made/client/.plumbline.json": listing("ours") }, a, b)).toEqual([
    "made/client/.plumbline.json",
  ]);
  const { theirs: _, ...less } = b;
  expect(faultsIn(less, a, b)).toEqual(["theirs"]);
});

const id = "6f1e0a52-0e5b-4a8e-9d55-0d8f8f0a7c11";

/** Files that equal neither the old nor the new state, and missing files of both states. */
function faultsIn(left: State, before: State, after: State): readonly string[] {
  const claims = (name: string): readonly string[] =>
    name.endsWith("/.plumbline.json") ? [listing(...filesIn(before[name]), ...filesIn(after[name]))] : [];
  const isRight = (name: string): boolean => {
    if (/\.[0-9a-f-]{36}\.plumbline-tmp$/.test(name)) return true;
    return [before[name], after[name], ...claims(name)].includes(left[name]);
  };
  return [...new Set([...Object.keys(left), ...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isRight(name),
  );
}

function listing(...files: readonly string[]): string {
  const comment = "The files of this folder that the generator writes. It never touches another.";
  return `${JSON.stringify({ comment, files: [...new Set(files)].sort() }, undefined, 2)}\n`;
}

function filesIn(manifest: string | undefined): readonly string[] {
  if (manifest === undefined) return [];
  return (JSON.parse(manifest) as { readonly files: readonly string[] }).files;
}

function other(edition: Edition): Edition {
  return edition === "a" ? "b" : "a";
}
