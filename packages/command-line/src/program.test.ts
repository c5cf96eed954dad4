import { expect, test } from "vitest";
import {
  decimal,
  flag,
  integer,
  list,
  oneOf,
  optionalArgument,
  parsed,
  repeatable,
  requiredArgument,
  string,
} from "./options.js";
import { defineCommand, runProgram, type ProgramIo } from "./program.js";
import { UsageError } from "./usage-error.js";

interface Run {
  readonly exitCode: number;
  readonly out: string;
  readonly error: string;
}

const parseEven = (value: string, name: string): number => {
  if (Number(value) % 2 === 0) return Number(value);
  throw new UsageError(`${name} is even.`);
};

const feed = defineCommand({
  text: "Feeds the animals of a shop.",
  options: {
    shop: requiredArgument(string("SHOP", "its name")),
    cage: optionalArgument(string("CAGE", "one cage. Default: all")),
    output: { ...string("FILE", "where to write. Default: standard output", "file"), letter: "o" },
    kinds: list("LIST", "kinds of animals", ["cat", "dog"]),
    note: repeatable("TEXT", "a note"),
    size: oneOf("SIZE", ["small", "large"], "how much"),
    times: integer("N", { least: 1, most: 3 }, "how often"),
    speed: decimal("X", { least: 0, most: 10 }, "how fast"),
    even: parsed("N", "an even number", parseEven),
    dryRun: flag(
      "reports what would be eaten, and feeds nothing. This sentence is long enough to need a second line in the help of a command",
    ),
  },
  notes: "Animals bite.",
  examples: ["shop feed north --kinds cat,dog"],
  variables: () => (name) => ({ note: "", speed: "2.5", "dry-run": "true" })[name],
  run: (values, { stdout }: ProgramIo) => {
    stdout.write(JSON.stringify(values));
    return 0;
  },
});

async function run(...args: readonly string[]): Promise<Run> {
  let out = "";
  let error = "";
  const exitCode = await runProgram(
    { name: "shop", version: () => "shop 1.2.3", overview: "Runs a shop.\n", commands: { feed: () => feed } },
    args,
    { stdout: { write: (part) => (out += part) }, stderr: { write: (part) => (error += part) } },
  );
  return { exitCode, out, error };
}

test("a command receives the values of its options by name", async () => {
  const { out, exitCode } = await run(
    ..."feed north --kinds cat,dog --kinds bird --note a --note=b --size small --size large --times 3 --even 4 -o -".split(
      " ",
    ),
  );
  expect(exitCode).toBe(0);
  expect(JSON.parse(out)).toEqual({
    shop: "north",
    output: "-",
    kinds: ["cat", "dog", "bird"],
    note: ["a", "b"],
    size: "large",
    times: 3,
    speed: 2.5, // from a variable
    even: 4,
    dryRun: true, // from a variable
  });
});

test("an absent list differs from an empty one", async () => {
  expect(JSON.parse((await run("feed", "north", "east")).out)).toEqual({
    shop: "north",
    cage: "east",
    note: [],
    speed: 2.5,
    dryRun: true,
  });
});

test.each([
  ["feed", "Missing argument SHOP: its name."],
  ["feed north east west", '"west" is an unexpected argument.'],
  ["feed north --kind cat", 'Unknown option --kind. Did you mean "--kinds"?'],
  [
    "feed north -x",
    "Unknown option -x. The options are --output, --kinds, --note, --size, --times, --speed, --even, --dry-run.",
  ],
  [
    "feed north -dry-run",
    "Unknown option -d. The options are --output, --kinds, --note, --size, --times, --speed, --even, --dry-run.",
  ],
  ["feed north --size", "--size needs a value."],
  ["feed north --size=", "--size needs a value."],
  ["feed north --size --times 1", "--size needs a value."],
  ["feed north --size huge", '--size is one of small, large, not "huge".'],
  ["feed north --times 0", '--times is an integer from 1 to 3, not "0".'],
  ["feed north --times 4", '--times is an integer from 1 to 3, not "4".'],
  ["feed north --times 1.5", '--times is an integer from 1 to 3, not "1.5".'],
  ["feed north --speed=-1", '--speed is a number from 0 to 10, not "-1".'],
  ["feed north --even 3", "--even is even."],
  ["feed north --dry-run=no", "--dry-run takes no value. Remove the value."],
  ["completion", "Missing argument SHELL: one of bash, zsh, fish."],
  ["completion tcsh", 'SHELL is one of bash, zsh, fish, not "tcsh".'],
])("%s: %s", async (line, message) => {
  const [name = ""] = line.split(" ");
  expect(await run(...line.split(" "))).toEqual({
    exitCode: 2,
    out: "",
    error: `${message}\nSee shop ${name} --help.\n`,
  });
});

test("an unknown command is wrong usage", async () => {
  expect(await run("fed")).toEqual({
    exitCode: 2,
    out: "",
    error: 'Unknown command "fed". Did you mean "feed"?\nSee shop --help.\n',
  });
  expect(await run("toString")).toMatchObject({ exitCode: 2, out: "" });
});

test("help is output, and its absence is wrong usage", async () => {
  const overview = { out: "Runs a shop.\n", error: "" };
  expect(await run()).toEqual({ ...overview, exitCode: 2 });
  for (const word of ["help", "--help", "-h"]) expect(await run(word)).toEqual({ ...overview, exitCode: 0 });
  expect((await run("--version")).out).toBe("shop 1.2.3\n");
  expect((await run("feed", "--help")).out).toBe(`shop feed SHOP [CAGE] [options]

Feeds the animals of a shop.

  SHOP           its name
  [CAGE]         one cage. Default: all
  -o, --output FILE
                 where to write. Default: standard output
  --kinds LIST   kinds of animals
  --note TEXT    a note
  --size SIZE    how much
  --times N      how often
  --speed X      how fast
  --even N       an even number
  --dry-run      reports what would be eaten, and feeds nothing. This sentence is long enough to need a second
                 line in the help of a command

Animals bite.

Examples
  shop feed north --kinds cat,dog
`);
});

test("all shells know the commands and their options", async () => {
  for (const shell of ["bash", "zsh", "fish"]) expect((await run("completion", shell)).out).toContain("dry-run");
});
