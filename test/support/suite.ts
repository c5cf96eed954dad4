import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { transform } from "esbuild";
import { banner } from "../../generators/dist/emit/banner.js";
import { print } from "../../generators/dist/emit/printer.js";
import type { Api } from "../../generators/dist/model/api.js";
import { buildApi } from "../../generators/dist/model/build.js";
import { ProblemError, type Problem } from "../../generators/dist/problem.js";
import { lint } from "../../generators/dist/spec/lint.js";
import { load } from "../../generators/dist/spec/load.js";
import { NamedChecks } from "../../generators/dist/judging/checks.js";
import { Pool, type Locate } from "../../generators/dist/judging/checks/pool.js";
import type { Check, Fault } from "@plumbline/validator-runtime";
import { repository, unremovedFolder } from "./places.js";

/** A schema, and what is an instance of it and what is not. */
export interface Case {
  /** `items 3`: the fourth case of `cases/items.json`. */
  readonly name: string;
  readonly schema: unknown;
  readonly valid: readonly unknown[];
  readonly invalid: readonly unknown[];
}

/** What became of a schema. */
export interface Compiled {
  /** What it says of a value: the codes of what is wrong with it. Absent for a schema that is refused. */
  readonly judge?: (value: unknown) => readonly string[];
  /** The code of what the linter has told of the schema: why it is refused, or what of it does not count. */
  readonly told?: string;
}

const suite = path.join(repository, "test", "json-schema");

/** Every case of the suite, by file and place. */
export async function readCases(): Promise<readonly Case[]> {
  const all = await readdir(path.join(suite, "cases"), { recursive: true });
  const files = all.filter((name) => name.endsWith(".json")).toSorted();
  const read = files.map(async (file) => {
    const cases = JSON.parse(await readFile(path.join(suite, "cases", file), "utf8")) as readonly Written[];
    const about = file.replaceAll(path.sep, "/").replace(/\.json$/, "");
    return cases.map(([schema, valid, invalid], index) => ({ name: `${about} ${index}`, schema, valid, invalid }));
  });
  return (await Promise.all(read)).flat();
}

type Written = readonly [schema: unknown, valid: readonly unknown[], invalid: readonly unknown[]];

/** What does not come out as the suite says, on purpose. */
export interface KnownFailures {
  /** What is said instead, and why. */
  readonly reasons: Readonly<Record<string, { readonly told: string; readonly because: string }>>;
  /** The key of the reason of each. */
  readonly failures: Readonly<Record<string, string>>;
}

export async function readKnownFailures(): Promise<KnownFailures> {
  return JSON.parse(await readFile(path.join(suite, "known-failures.json"), "utf8")) as KnownFailures;
}

/**
 * What does not come out as the suite says, and what was said instead: a refused schema as `items 3`, and of one that is not refused each instance,
 * as `items 3 valid 0` where something is wrong with it, and `items 3 invalid 0` where nothing is.
 */
export function failuresOf(cases: readonly Case[], compiled: readonly Compiled[]): Readonly<Record<string, string>> {
  const failures = cases.flatMap(({ name, valid, invalid }, place): readonly (readonly [string, string])[] => {
    const { judge, told } = compiled[place] ?? {};
    if (judge === undefined) return [[name, told ?? "lost"]];
    return [
      ...valid.flatMap((value, index) => {
        const codes = judge(value);
        return codes.length === 0 ? [] : [[`${name} valid ${index}`, told ?? codes.join(" ")] as const];
      }),
      ...invalid.flatMap((value, index) =>
        judge(value).length > 0 ? [] : [[`${name} invalid ${index}`, told ?? "accepted"] as const],
      ),
    ];
  });
  return Object.fromEntries(failures);
}

/** How many instances each of these failures concerns. */
export function instancesOf(cases: readonly Case[], failures: Readonly<Record<string, string>>): number {
  const refused = new Map(cases.map(({ name, valid, invalid }) => [name, valid.length + invalid.length] as const));
  return Object.keys(failures).reduce((sum, name) => sum + (refused.get(name) ?? 1), 0);
}

/** Sends every schema through the generator: linter, model, checks, and Node. */
export async function compileAll(schemas: readonly unknown[]): Promise<readonly Compiled[]> {
  const folder = await unremovedFolder();
  try {
    const packages = path.join(folder, "node_modules", "@plumbline");
    await mkdir(packages, { recursive: true });
    const runtime = path.join(repository, "packages", "validator-runtime");
    await symlink(runtime, path.join(packages, "validator-runtime"), "dir");
    for (const [index, schema] of schemas.entries())
      if (isInFile(schema)) await writeFile(path.join(folder, fileOf(index)), JSON.stringify(schema));
    const problems = await lintAll(schemas, folder);
    const isRight = (index: number): boolean => problems.get(index)?.severity !== "error";
    const { judges, rejected } = await compile(schemas, [...schemas.keys()].filter(isRight), folder);
    return schemas.map((_, index) => {
      const code = rejected.get(index) ?? problems.get(index)?.code;
      const judge = judges.get(index);
      return { ...(code === undefined ? {} : { told: code }), ...(judge === undefined ? {} : { judge }) };
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** In a file of its own, `#` is the schema. */
function isInFile(schema: unknown): boolean {
  return typeof schema !== "boolean";
}

function fileOf(index: number): string {
  return `schema-${index}.json`;
}

/** Writes a description that names these schemas, and says where it is. */
async function describeIn(folder: string, schemas: readonly unknown[], indexes: readonly number[]): Promise<string> {
  const entries = indexes.map((index) => {
    const schema = schemas[index];
    return [`Case${index}`, isInFile(schema) ? { $ref: fileOf(index) } : schema] as const;
  });
  const components = { schemas: Object.fromEntries(entries) };
  const file = path.join(folder, "openapi.yaml");
  const info = { title: "Cases", version: "1.0.0" };
  await writeFile(file, JSON.stringify({ openapi: "3.1.0", info, paths: {}, components }));
  return file;
}

/** The first problem of each schema, errors before warnings. Schemas with errors hide what is wrong with others, so that the others come again. */
async function lintAll(schemas: readonly unknown[], folder: string): Promise<ReadonlyMap<number, Problem>> {
  const refused = new Map<number, Problem>();
  for (;;) {
    const rest = [...schemas.keys()].filter((index) => !refused.has(index));
    const problems = await lint(await describeIn(folder, schemas, rest), { profile: "foreign" });
    const firsts = new Map(problems.toReversed().map((problem) => [indexOf(problem), problem] as const));
    const errors = problems.filter((problem) => problem.severity === "error").toReversed();
    if (errors.length === 0) return new Map([...firsts, ...refused]);
    for (const error of errors) refused.set(indexOf(error), error);
  }
}

/** The schema that a problem is about. */
function indexOf({ origin: { file, pointer }, code, message }: Problem): number {
  const [, index] = /^schema-(\d+)\.json$/.exec(file) ?? /^\/components\/schemas\/Case(\d+)/.exec(pointer) ?? [];
  if (index === undefined) throw new Error(`${file}#${pointer} ${code} ${message}`);
  return Number(index);
}

type Judge = NonNullable<Compiled["judge"]>;

interface Judges {
  readonly judges: ReadonlyMap<number, Judge>;
  /** The code of the first problem of each of the others. */
  readonly rejected: ReadonlyMap<number, string>;
}

/** Compiles these schemas in one module. With what is wrong with one of them, that one is compiled alone, where no other can be to blame. */
async function compile(schemas: readonly unknown[], indexes: readonly number[], folder: string): Promise<Judges> {
  try {
    const description = await load(await describeIn(folder, schemas, indexes));
    const api = buildApi(description, { names: {}, requirements: undefined });
    const text = moduleOf(api, indexes.map(nameOf), description.locate);
    return { judges: await judgesOf(text, indexes, folder), rejected: new Map() };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const [first = 0, ...others] = indexes;
    if (others.length === 0) return { judges: new Map(), rejected: new Map([[first, error.problems[0]?.code ?? ""]]) };
    const wrong = new Set(error.problems.map(indexOf));
    const parts = [indexes.filter((index) => !wrong.has(index)), ...[...wrong].map((index) => [index])];
    const all: Judges[] = [];
    for (const part of parts) all.push(await compile(schemas, part, folder));
    return {
      judges: new Map(all.flatMap(({ judges }) => [...judges])),
      rejected: new Map(all.flatMap(({ rejected }) => [...rejected])),
    };
  }
}

function nameOf(index: number): string {
  return `Case${index}`;
}

/** The generated module that judges by these schemas. */
function moduleOf(api: Api, names: readonly string[], locate: Locate): string {
  const checks = new NamedChecks(api);
  for (const name of names) checks.refer(name, "judged");
  const all = api.shapes.map((shape) => shape.name);
  return print(checks.print(new Pool(all, locate)), banner);
}

/** What a generated module does, loaded beside the runtime. */
async function judgesOf(text: string, indexes: readonly number[], folder: string): Promise<ReadonlyMap<number, Judge>> {
  const { code } = await transform(text, { loader: "ts", format: "esm", target: "es2022" });
  const file = path.join(folder, `checks-${indexes.length}-${indexes[0]}.mjs`);
  await writeFile(file, code);
  const loaded = (await import(pathToFileURL(file).href)) as Readonly<Record<string, Check>>;
  return new Map(
    indexes.map((index) => {
      const check = loaded[`check${nameOf(index)}`];
      if (check === undefined) throw new Error(`no check of ${nameOf(index)}`);
      return [index, judgeBy(check)];
    }),
  );
}

function judgeBy(check: Check): Judge {
  return (value) => {
    const faults: Fault[] = [];
    check(value, faults);
    return [...new Set(faults.map((fault) => fault.code))];
  };
}
