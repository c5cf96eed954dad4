import { describe, expect, it } from "vitest";
import { exampleSuite } from "../report/example-report.support.js";
import { runTestCommand } from "./command.support.js";

async function listed(...args: readonly string[]): Promise<readonly string[]> {
  return (await runTestCommand(["list", ...args])).stdout.trimEnd().split("\n");
}

describe("list", () => {
  it("prints all ids, in the suite's order", async () => {
    expect(await listed()).toEqual(exampleSuite.cases.map(({ id }) => id));
  });

  const own = "notes/getNote/own";
  const another = "notes/getNote/of-another";
  const long = "notes/createNote/title/longer-than-8";
  const health = "health/getHealth/anonymous";

  it.each([
    ["an id", own, [own]],
    ["the beginning of one", "notes/getNote", [own, another]],
    ["a star", "*-than-*", [long]],
    ["a star at both ends", "*Note/o*", [own, another]],
    ["a requirement", "note.secret", [another]],
    ["requirements", "note.s*", [own, another]],
    ["an area", "health", [health]],
    ["an operation", "createNote", [long]],
    ["a kind", "responses", [own]],
    ["a list", "responses, bounds", [long, own]],
  ])("takes %s", async (_name, word, ids) => {
    expect(await listed("--only", word)).toEqual(ids);
    const others = exampleSuite.cases.map(({ id }) => id).filter((id) => !ids.includes(id));
    expect(await listed("--skip", word)).toEqual(others);
  });

  it("does not match an id with a longer word", async () => {
    const [first] = exampleSuite.cases;
    if (first === undefined) throw new Error("The suite has no cases.");
    const suite = { ...exampleSuite, cases: [first, { ...first, id: `${first.id}0` }] };
    expect((await runTestCommand(["list", "--only", first.id], { suite })).stdout).toBe(`${first.id}\n`);
  });

  it("combines --only with --skip and --read-only", async () => {
    expect(await listed("--only", "bounds", "--only", "getNote", "--skip", another)).toEqual([long, own]);
    expect(await listed("--read-only")).toEqual([health]);
  });

  it("divides the selected cases among shards, each case once", async () => {
    const ids = exampleSuite.cases.map(({ id }) => id);
    const parts = await Promise.all(["1/2", "2/2"].map((shard) => listed("--shard", shard)));
    expect(parts.map((part) => part.length)).toEqual([Math.ceil(ids.length / 2), Math.floor(ids.length / 2)]);
    expect(parts.flat().toSorted()).toEqual(ids.toSorted());
    expect(await listed("--shard", "2/2", "--only", "getNote")).toEqual([another]);
  });

  it("prints JSON", async () => {
    expect(JSON.parse((await runTestCommand(["list", "--json", "--only", "health"])).stdout)).toEqual([health]);
  });

  it("prints each requirement with its cases, or why it has none", async () => {
    expect(await listed("--requirements", "--skip", "health")).toEqual([
      "note.title.length  1 case",
      "note.shown         1 case",
      "note.secret        1 case",
      "note.kept          untested: a year is too long",
      "health.public      none of these cases",
    ]);
    const rows = JSON.parse((await runTestCommand(["list", "--requirements", "--json"])).stdout);
    expect(rows[3]).toEqual({
      id: "note.kept",
      cases: 0,
      text: "Notes are kept for a year.",
      untested: "a year is too long",
    });
  });
});

it("--only with an operation selects the cases of others that test its response", async () => {
  const check = exampleSuite.cases[0];
  if (check === undefined) throw new Error("The suite has no cases.");
  const steps = (setup: boolean) => [{ call: "getHealth", ...(setup ? { setup: true as const } : {}) }];
  const suite = {
    ...exampleSuite,
    cases: [
      ...exampleSuite.cases,
      { ...check, id: "notes/createNote/workflows/check", kind: "workflows" as const, steps: steps(false) },
      { ...check, id: "notes/createNote/workflows/setup", steps: steps(true) },
    ],
  };
  const { stdout } = await runTestCommand(["list", "--only", "getHealth"], { suite });
  expect(stdout).toBe("health/getHealth/anonymous\nnotes/createNote/workflows/check\n");
  const skipped = await runTestCommand(["list", "--skip", "getHealth"], { suite });
  expect(skipped.stdout).toContain("notes/createNote/workflows/check");
});
