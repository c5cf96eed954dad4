import { readdirSync, readFileSync } from "node:fs";
import { rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repository, unremovedFolder } from "../support/places.js";
import { compileProject, plumbline } from "../support/run.js";

/** Descriptions that contradict OpenAPI, in ways that are common. */
const corpus = path.join(repository, "test", "descriptions", "odd");
const names = readdirSync(corpus).map((each) => path.basename(each, ".yaml"));

interface Outcome {
  readonly name: string;
  readonly code: number | null;
  readonly out: string;
  readonly warnings: readonly { readonly code: string; readonly fix?: string }[];
}

let folder: string;
let outcomes: readonly Outcome[];

beforeAll(async () => {
  folder = await unremovedFolder();
  await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
  const results: Outcome[] = [];
  for (const name of names) {
    const args = ["generate", "--json", "--spec", path.join(corpus, `${name}.yaml`), "--out", path.join(folder, name)];
    const { code, out } = await plumbline(args, { in: folder });
    const { warnings } = JSON.parse(out) as Partial<Pick<Outcome, "warnings">>;
    results.push({ name, code, out, warnings: warnings ?? [] });
  }
  outcomes = results;
});

afterAll(() => rm(folder, { recursive: true }));

describe("odd descriptions of third parties", () => {
  it("become packages, with the warnings that the table names, each with the way to decide otherwise", () => {
    expect(outcomes.filter(({ code }) => code !== 0)).toEqual([]);
    const readme = readFileSync(path.join(repository, "test", "descriptions", "README.md"), "utf8");
    const rows = readme.split("\n").filter((line) => line.startsWith("| `odd/"));
    const rowOf = ({ name, warnings }: Outcome): string => {
      const codes = [...new Set(warnings.map((each) => `\`${each.code}\``))].toSorted();
      return `| \`odd/${name}\` | ${codes.join(", ")} |`;
    };
    expect(rows.map((row) => row.replace(/^(\| \S+ \|) .* (\|[^|]*\|)$/, "$1 $2").replace("| |", "|"))).toEqual(
      outcomes.map(rowOf),
    );
    expect(outcomes.flatMap(({ warnings }) => warnings.filter(({ fix }) => fix === undefined))).toEqual([]);
  });

  it("become packages that compile under the strictest settings, which find an injected error", async () => {
    const { compilerOptions } = JSON.parse(
      readFileSync(path.join(folder, names[0] ?? "", "client", "tsconfig.json"), "utf8"),
    ) as { readonly compilerOptions: Readonly<Record<string, unknown>> };
    const { rootDir: _root, outDir: _out, ...strictest } = compilerOptions;
    const include = ["*/*/src"];
    await writeFile(
      path.join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: { ...strictest, noEmit: true }, include }),
    );
    await writeFile(path.join(folder, "package.json"), '{"type": "module"}');
    await writeFile(
      path.join(folder, names[0] ?? "", "client", "src", "wrong.ts"),
      'import { createClient } from "./index.js";\nexport const client: number = createClient();\n',
    );
    const { out } = await compileProject(path.join(folder, "tsconfig.json"), { in: folder });
    const found = out.split("\n").flatMap((line) => /^(\S+)\(\d+,\d+\): error /.exec(line)?.[1] ?? []);
    expect([...new Set(found)]).toEqual([path.join(names[0] ?? "", "client", "src", "wrong.ts")]);
  });

  it("with patterns that JavaScript cannot evaluate, say in their packages which", () => {
    const at = (kind: string, file: string): string =>
      readFileSync(path.join(folder, "patterns-of-other-dialects", kind, file), "utf8");
    for (const kind of ["validator", "server"]) {
      expect(at(kind, "src/index.ts")).toContain('{ pattern: "a++b", source: "patterns-of-other-dialects.yaml#');
      expect(at(kind, "README.md")).toContain("- a++b, at patterns-of-other-dialects.yaml#");
    }
  });
});
