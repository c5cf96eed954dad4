import { readFileSync } from "node:fs";
import { mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { readSuite } from "@plumbline/conformance-runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repository } from "./support/places.js";
import { runNode } from "./support/run.js";

interface Outcome {
  readonly file: string;
  readonly code: number;
  readonly said: string;
}

let folder: string;
let outcomes: readonly Outcome[];

const examples = path.join(repository, "node_modules", "@readme", "oas-examples");

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "plumbline-foreign-"));
  await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
  const versions = ["3.0", "3.1"].map(async (version) => {
    const names = await readdir(path.join(examples, version, "json"));
    return names.filter((name) => name.endsWith(".json")).map((name) => path.join(examples, version, "json", name));
  });
  const files = (await Promise.all(versions)).flat();
  const script = path.join(repository, "test", "support", "generate-all.mjs");
  const ended = await runNode([script, folder, ...files], { in: folder });
  expect(ended).toMatchObject({ code: 0, error: "" });
  outcomes = JSON.parse(ended.out) as readonly Outcome[];
}, 400_000);
afterAll(() => rm(folder, { recursive: true }));

describe("descriptions of others", () => {
  it("become clients, or are refused for a reason that the table names", () => {
    const readme = readFileSync(path.join(repository, "test", "descriptions", "README.md"), "utf8");
    const rows = readme.split("\n").filter((line) => /^\| `3\.[01]\//.test(line));
    expect(rows).toEqual(outcomes.map(rowOf));
    expect(rows.length).toBeGreaterThan(50);
  });

  it("are refused with a place for every problem", () => {
    for (const { code, said } of outcomes) {
      if (code === 0) continue;
      const [last, ...lines] = said.trimEnd().split("\n").toReversed();
      expect(last).toMatch(/^\d+ problems? \(\d+ errors?, \d+ warnings?\) in \d+ files?\.$/);
      for (const line of lines) expect(line).toMatch(/^\S+:\d+:\d+ {2}[a-z]+\/[a-z0-9-]+ {2}\S/);
    }
  });

  it("become clients, validators, servers and suites that compile under the strictest settings", async () => {
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
    expect(await compile()).toEqual({ code: 0, out: "", error: "" });
  });

  it("become suites that can be read, with a case for each operation", () => {
    const made = outcomes.flatMap(({ code }, index) => (code === 0 ? [path.join(folder, String(index))] : []));
    expect(made.length).toBeGreaterThan(50);
    for (const each of made) {
      const { operations, cases } = readSuite(pathToFileURL(path.join(each, "conformance", "data", path.sep)));
      const tested = new Set(cases.map(({ operation }) => operation));
      const reached = Object.entries(operations).filter(([, facts]) => facts.path !== "");
      expect(reached.filter(([name]) => !tested.has(name))).toEqual([]);
      expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
    }
  });

  it("would not, if one of them were wrong", async () => {
    const broken = path.join(folder, await anyOf("client"), "src", "broken.ts");
    await writeFile(
      broken,
      'import { createClient } from "./index.js";\nexport const client: number = createClient();\n',
    );
    const stub = path.join(folder, await anyOf("server"), "src", "stub.ts");
    await writeFile(
      stub,
      'import { createServer } from "./index.js";\nexport const server: number = createServer({}, { missing: "not-implemented" });\n',
    );
    const cases = path.join(folder, await anyOf("conformance"), "src", "cases.ts");
    await writeFile(cases, 'import { suite } from "./index.js";\nexport const cases: number = suite.cases;\n');
    const { code, out } = await compile();
    await rm(broken);
    await rm(stub);
    await rm(cases);
    expect(code).not.toBe(0);
    expect(out).toMatch(/broken\.ts/);
    expect(out).toMatch(/stub\.ts/);
    expect(out).toMatch(/cases\.ts/);
  });
});

/** The first package of its kind that was made, relative to the folder. */
async function anyOf(kind: "client" | "server" | "conformance"): Promise<string> {
  const index = outcomes.findIndex(({ code }) => code === 0);
  const name = path.join(String(index), kind);
  expect(await readdir(path.join(folder, name))).toContain("package.json");
  return name;
}

function compile(): ReturnType<typeof runNode> {
  const compiler = path.join(repository, "node_modules", "typescript", "bin", "tsc");
  return runNode([compiler, "-p", path.join(folder, "tsconfig.json")], { in: folder });
}

/** What the table of test/descriptions/README.md says of a description. */
function rowOf({ file, code, said }: Outcome): string {
  const version = path.basename(path.dirname(path.dirname(file)));
  const name = `${version}/${path.basename(file, ".json")}`;
  const codes = [
    ...new Set([...said.matchAll(/^\S+:\d+:\d+ {2}([a-z]+\/[a-z0-9-]+)/gm)].map((match) => match[1] ?? "")),
  ];
  const operations = /^(\d+ operations?);/m.exec(said)?.[1];
  const listed = codes
    .toSorted()
    .map((each) => `\`${each}\``)
    .join(", ");
  return `| \`${name}\` | ${code === 0 ? operations : "refused"} | ${listed} |`;
}
