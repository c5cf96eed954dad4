import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { printSourceFile } from "@plumbline/kit/codegen";
import { createConstants, type LocateOrigin, NamedChecks, SchemaDefinitions } from "@plumbline/kit/codegen/validation";
import type { Api } from "@plumbline/kit/model";
import { DiagnosticsError, type Diagnostic } from "@plumbline/kit/model";
import { buildApi } from "@plumbline/kit/openapi";
import { loadDescription } from "@plumbline/kit/openapi";
import { lint } from "@plumbline/kit/openapi/lint";
import type { Check, Issue } from "@plumbline/server-runtime/validator";
import { transform } from "esbuild";
import { compileWithAjv } from "./ajv.js";
import { repository, unremovedFolder } from "./places.js";

/** A schema, with valid and invalid instances. */
export interface Case {
  /** `items 3`: the fourth case of `cases/items.json`. */
  readonly name: string;
  readonly schema: unknown;
  readonly valid: readonly unknown[];
  readonly invalid: readonly unknown[];
}

/** What became of a schema. */
export interface Compiled {
  /** Returns the codes of a value's issues. Absent for a rejected schema. */
  readonly validate?: (value: unknown) => readonly string[];
  /** The code of the linter's diagnostic for the schema: why it is rejected, or which part is ignored. */
  readonly diagnostic?: string;
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

/** Results that differ from the suite on purpose. */
export interface KnownFailures {
  /** The actual result, and the reason. */
  readonly reasons: Readonly<Record<string, { readonly actual: string; readonly because: string }>>;
  /** The key of the reason of each. */
  readonly failures: Readonly<Record<string, string>>;
}

/** What validates: compiled checks, or Ajv with the schemas of the generated package. */
export type Engine = "compiled" | "ajv";

const knownFailureFiles: Readonly<Record<Engine, string>> = {
  compiled: "known-failures.json",
  ajv: "known-failures-of-ajv.json",
};

export async function readKnownFailures(engine: Engine = "compiled"): Promise<KnownFailures> {
  return JSON.parse(await readFile(path.join(suite, knownFailureFiles[engine]), "utf8")) as KnownFailures;
}

/**
 * Results that differ from the suite, with the actual results. A rejected schema is `items 3`. An instance of an accepted schema is
 * `items 3 valid 0` if it is rejected, and `items 3 invalid 0` if it is accepted.
 */
export function failuresOf(cases: readonly Case[], compiled: readonly Compiled[]): Readonly<Record<string, string>> {
  const failures = cases.flatMap(({ name, valid, invalid }, place): readonly (readonly [string, string])[] => {
    const { validate, diagnostic: reported } = compiled[place] ?? {};
    if (validate === undefined) return [[name, reported ?? "lost"]];
    return [
      ...valid.flatMap((value, index) => {
        const codes = validate(value);
        return codes.length === 0 ? [] : [[`${name} valid ${index}`, reported ?? codes.join(" ")] as const];
      }),
      ...invalid.flatMap((value, index) =>
        validate(value).length > 0 ? [] : [[`${name} invalid ${index}`, reported ?? "accepted"] as const],
      ),
    ];
  });
  return Object.fromEntries(failures);
}

/** How many instances each of these failures concerns. */
export function instancesOf(cases: readonly Case[], failures: Readonly<Record<string, string>>): number {
  const rejected = new Map(cases.map(({ name, valid, invalid }) => [name, valid.length + invalid.length] as const));
  return Object.keys(failures).reduce((sum, name) => sum + (rejected.get(name) ?? 1), 0);
}

/** Sends every schema through the generator: linter, model, checks or JSON Schema again, and Node. */
export async function compileAll(
  schemas: readonly unknown[],
  engine: Engine = "compiled",
): Promise<readonly Compiled[]> {
  return withRuntime(async (folder) => {
    for (const [index, schema] of schemas.entries())
      if (isInFile(schema)) await writeFile(path.join(folder, fileOf(index)), JSON.stringify(schema));
    const diagnostics = await (linted.get(schemas) ?? lintAll(schemas, folder));
    linted.set(schemas, diagnostics);
    const isRight = (index: number): boolean => diagnostics.get(index)?.severity !== "error";
    const { validators, rejected } = await compile(schemas, [...schemas.keys()].filter(isRight), {
      folder,
      engine,
    });
    return schemas.map((_, index) => {
      const code = rejected.get(index) ?? diagnostics.get(index)?.code;
      const validate = validators.get(index);
      return { ...(code === undefined ? {} : { diagnostic: code }), ...(validate === undefined ? {} : { validate }) };
    });
  });
}

/** The generated checks of named schemas, by name. */
export async function compileNamed(
  api: Api,
  names: readonly string[],
): Promise<ReadonlyMap<string, NonNullable<Compiled["validate"]>>> {
  const locate: LocateOrigin = (origin) => ({ ...origin, line: 1, column: 1 });
  return withRuntime(async (folder) => loadValidators(moduleOf(api, names, locate), names, folder));
}

/** Runs a function with a folder in which generated modules find their runtime. */
async function withRuntime<Result>(run: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await unremovedFolder();
  try {
    const packages = path.join(folder, "node_modules", "@plumbline");
    await mkdir(packages, { recursive: true });
    const runtime = path.join(repository, "packages", "server-runtime");
    await symlink(runtime, path.join(packages, "server-runtime"), "dir");
    return await run(folder);
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

/** Writes a description that refers to these schemas, and returns its path. */
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

/** Diagnostics of lists of schemas, which both engines share. */
const linted = new WeakMap<readonly unknown[], ReadonlyMap<number, Diagnostic>>();

/** The first diagnostic of each schema, errors before warnings. Schemas with errors hide the diagnostics of others, so the others are linted again. */
async function lintAll(schemas: readonly unknown[], folder: string): Promise<ReadonlyMap<number, Diagnostic>> {
  const rejected = new Map<number, Diagnostic>();
  for (;;) {
    const rest = [...schemas.keys()].filter((index) => !rejected.has(index));
    const diagnostics = await lint(await describeIn(folder, schemas, rest), { ruleset: "minimal" });
    const firsts = new Map(diagnostics.toReversed().map((diagnostic) => [indexOf(diagnostic), diagnostic] as const));
    const errors = diagnostics.filter((diagnostic) => diagnostic.severity === "error").toReversed();
    if (errors.length === 0) return new Map([...firsts, ...rejected]);
    for (const error of errors) rejected.set(indexOf(error), error);
  }
}

/** The schema that a diagnostic is about. */
function indexOf({ origin: { file, pointer }, code, message }: Diagnostic): number {
  const [, index] = /^schema-(\d+)\.json$/.exec(file) ?? /^\/components\/schemas\/Case(\d+)/.exec(pointer) ?? [];
  if (index === undefined) throw new Error(`${file}#${pointer} ${code} ${message}`);
  return Number(index);
}

type ValueValidator = NonNullable<Compiled["validate"]>;

interface CompiledSchemas {
  readonly validators: ReadonlyMap<number, ValueValidator>;
  /** The code of the first diagnostic of each of the others. */
  readonly rejected: ReadonlyMap<number, string>;
}

/** Compiles these schemas in one module. After errors, the others are compiled together, and each schema with an error alone. */
async function compile(
  schemas: readonly unknown[],
  indexes: readonly number[],
  { folder, engine }: { readonly folder: string; readonly engine: Engine },
): Promise<CompiledSchemas> {
  try {
    const description = await loadDescription(await describeIn(folder, schemas, indexes));
    const api = buildApi(description, { names: {}, requirements: undefined });
    if (engine === "ajv") return convertAll(api, indexes);
    const names = indexes.map(nameOf);
    const validators = await loadValidators(moduleOf(api, names, description.locate), names, folder);
    const indexed = indexes.map((index) => [index, validators.get(nameOf(index)) as ValueValidator] as const);
    return { validators: new Map(indexed), rejected: new Map() };
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error;
    const [first = 0, ...others] = indexes;
    if (others.length === 0)
      return { validators: new Map(), rejected: new Map([[first, error.diagnostics[0]?.code ?? ""]]) };
    const wrong = new Set(error.diagnostics.map(indexOf));
    const parts = [indexes.filter((index) => !wrong.has(index)), ...[...wrong].map((index) => [index])];
    const all: CompiledSchemas[] = [];
    for (const part of parts) all.push(await compile(schemas, part, { folder, engine }));
    return {
      validators: new Map(all.flatMap(({ validators }) => [...validators])),
      rejected: new Map(all.flatMap(({ rejected }) => [...rejected])),
    };
  }
}

/** Converts these schemas as a generated package has them, and compiles them with Ajv. */
function convertAll(api: Api, indexes: readonly number[]): CompiledSchemas {
  const definitions = new SchemaDefinitions(api);
  const validators = new Map<number, ValueValidator>();
  const rejected = new Map<number, string>();
  const roots = indexes.map(
    (index) => [index, definitions.root({ ref: nameOf(index), types: [], origin: api.origin })] as const,
  );
  const { all } = definitions;
  for (const [index, root] of roots) {
    const $defs = Object.fromEntries(root.definitions.map((name) => [name, all.get(name)] as const));
    const validate = compileWithAjv({ ...root.keywords, $defs });
    if (validate === undefined) rejected.set(index, "ajv");
    else validators.set(index, validate);
  }
  return { validators, rejected };
}

function nameOf(index: number): string {
  return `Case${index}`;
}

/** The generated module that validates by these schemas. */
function moduleOf(api: Api, names: readonly string[], locate: LocateOrigin): string {
  const checks = new NamedChecks(api);
  for (const name of names) checks.refer(name, "validated");
  const all = api.schemas.map((shape) => shape.name);
  return printSourceFile(checks.print(createConstants(api, all, locate)));
}

/** What a generated module does, loaded beside the runtime. */
async function loadValidators(
  text: string,
  names: readonly string[],
  folder: string,
): Promise<ReadonlyMap<string, ValueValidator>> {
  const { code } = await transform(text, { loader: "ts", format: "esm", target: "es2022" });
  const file = path.join(folder, `checks-${names.length}-${names[0]}.mjs`);
  await writeFile(file, code);
  const loaded = (await import(pathToFileURL(file).href)) as Readonly<Record<string, Check>>;
  return new Map(
    names.map((name) => {
      const check = loaded[`check${name}`];
      if (check === undefined) throw new Error(`no check of ${name}`);
      return [name, validatorOf(check)];
    }),
  );
}

function validatorOf(check: Check): ValueValidator {
  return (value) => {
    const issues: Issue[] = [];
    check(value, issues);
    return [...new Set(issues.map((issue) => issue.code))];
  };
}
