import { readFileSync } from "node:fs";
import { readdir, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { readSuite } from "@plumbline/conformance-runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { place } from "../support/pets.js";
import { repository, unremovedFolder } from "../support/places.js";
import { compileProject, plumbline } from "../support/run.js";

interface Outcome {
  /** Version and name, as the table has them. */
  readonly name: string;
  readonly code: number | null;
  readonly said: string;
}

let folder: string;
let outcomes: readonly Outcome[];

const examples = path.join(repository, "node_modules", "@readme", "oas-examples");

/** Of each kind that has found something; the full form has all of them. */
const few = [
  "3.0/complex-nesting",
  "3.0/discriminators",
  "3.0/file-uploads",
  "3.0/security-multiple",
  "3.1/schema-types",
  "3.1/schema-validation-top-level",
  "3.1/webhooks",
];
const isFull = process.env["MODE"] === "full";

beforeAll(async () => {
  folder = await unremovedFolder();
  await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
  const results: Outcome[] = [];
  for (const name of isFull ? await allNames() : few) {
    const [version = "", file = ""] = name.split("/");
    const spec = path.join(examples, version, "json", `${file}.json`);
    const args = ["generate", "--spec", spec, "--out", path.join(folder, String(results.length))];
    const { code, out, error } = await plumbline(args, { in: folder });
    results.push({ name, code, said: out + error });
  }
  outcomes = results;
});

async function allNames(): Promise<readonly string[]> {
  const versions = ["3.0", "3.1"].map(async (version) => {
    const names = await readdir(path.join(examples, version, "json"));
    return names.filter((name) => name.endsWith(".json")).map((name) => `${version}/${path.basename(name, ".json")}`);
  });
  return (await Promise.all(versions)).flat();
}

afterAll(() => rm(folder, { recursive: true }));

describe("third-party descriptions", () => {
  it("become clients, or are rejected for a reason that the table names", () => {
    const readme = readFileSync(path.join(repository, "test", "descriptions", "README.md"), "utf8");
    const rows = readme.split("\n").filter((line) => /^\| `3\.[01]\//.test(line));
    const tried = new Set(outcomes.map(({ name }) => `| \`${name}\` |`));
    expect(rows.filter((row) => isFull || tried.has(row.split(" ").slice(0, 3).join(" ")))).toEqual(
      outcomes.map(rowOf),
    );
    expect(rows.length).toBeGreaterThan(50);
  });

  it("are rejected with a location for every diagnostic", () => {
    for (const { code, said } of outcomes) {
      if (code === 0) continue;
      const [last, ...lines] = said.trimEnd().split("\n").toReversed();
      expect(last).toMatch(/^\d+ problems? \(\d+ errors?, \d+ warnings?\) in \d+ files?\.$/);
      for (const line of lines)
        expect(line).toMatch(
          /^\S+:\d+:\d+ {2}(error|warning) {2}[a-z]+\/[A-Za-z0-9-]+ {2}\S|^ {2}… and \d+ more warning/,
        );
    }
  });

  it("become clients, validators, servers and suites that compile under the strictest settings, which find an injected error", async () => {
    const { compilerOptions } = JSON.parse(
      readFileSync(path.join(folder, await anyOf("client"), "tsconfig.json"), "utf8"),
    ) as {
      compilerOptions: Readonly<Record<string, unknown>>;
    };
    const { rootDir: _root, outDir: _out, ...strictest } = compilerOptions;
    expect(strictest).toMatchObject({ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true });
    const project = {
      compilerOptions: { ...strictest, noEmit: true },
      include: ["*/client/src", "*/validator/src", "*/server/src", "*/conformance/src"],
    };
    await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify(project));
    await writeFile(path.join(folder, "package.json"), '{"type": "module"}');
    await place(folder, await wrongFiles());
    const { code, out } = await compile();
    expect(code).not.toBe(0);
    const found = out.split("\n").flatMap((line) => /^(\S+)\(\d+,\d+\): error /.exec(line)?.[1] ?? []);
    expect([...new Set(found)]).toEqual(Object.keys(await wrongFiles()));
  });

  it("become suites that can be read, with a case for each operation", () => {
    const made = outcomes.flatMap(({ code }, index) => (code === 0 ? [path.join(folder, String(index))] : []));
    expect(made.length).toBeGreaterThan(isFull ? 50 : 5);
    for (const each of made) {
      const { operations, cases } = readSuite(pathToFileURL(path.join(each, "conformance", "data", path.sep)));
      const tested = new Set(cases.map(({ operation }) => operation));
      const reached = Object.entries(operations).filter(([, facts]) => facts.path !== "");
      expect(reached.filter(([name]) => !tested.has(name))).toEqual([]);
      expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
    }
  });
});

/** A program of each kind that uses its package wrongly, by its path. */
async function wrongFiles(): Promise<Readonly<Record<string, string>>> {
  return {
    [path.join(await anyOf("client"), "src", "wrong.ts")]:
      'import { createClient } from "./index.js";\nexport const client: number = createClient();\n',
    [path.join(await anyOf("conformance"), "src", "wrong.ts")]:
      'import { suite } from "./index.js";\nexport const cases: number = suite.cases;\n',
    [path.join(await anyOf("server"), "src", "wrong.ts")]:
      'import { createServer } from "./index.js";\nexport const server: number = createServer({}, { missingHandlers: "not-implemented" });\n',
  };
}

/** The first generated package of its kind, relative to the folder. */
async function anyOf(kind: "client" | "server" | "conformance"): Promise<string> {
  const index = outcomes.findIndex(({ code }) => code === 0);
  const name = path.join(String(index), kind);
  expect(await readdir(path.join(folder, name))).toContain("package.json");
  return name;
}

function compile(): ReturnType<typeof compileProject> {
  return compileProject(path.join(folder, "tsconfig.json"), { in: folder });
}

/** The row of test/descriptions/README.md for a description. */
function rowOf({ name, code, said }: Outcome): string {
  const codes = [
    ...new Set(
      [...said.matchAll(/^\S+:\d+:\d+ {2}(?:error|warning) {2}([a-z]+\/[A-Za-z0-9-]+)/gm)].map(
        (match) => match[1] ?? "",
      ),
    ),
  ];
  const operations = /^(\d+ operations?);/m.exec(said)?.[1];
  const listed = codes
    .toSorted()
    .map((each) => `\`${each}\``)
    .join(", ");
  return `| \`${name}\` | ${code === 0 ? operations : "refused"} | ${listed} |`;
}
