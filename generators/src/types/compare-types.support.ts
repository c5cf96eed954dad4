import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { printSourceFile } from "@plumbline/kit/codegen";
import { emitOpenapiTypes, type OpenapiTypesOptions } from "@plumbline/kit/codegen/openapi-types";
import type { Json } from "@plumbline/kit/model";
import { bundleDescription } from "@plumbline/kit/openapi";
import openapiTS, { astToString, type OpenAPI3, type OpenAPITSOptions } from "openapi-typescript";
import { ts } from "ts-morph";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const require = createRequire(import.meta.url);

/** The types that openapi-typescript prints are compared with ours, each named part by itself. */
export interface TypeComparison {
  /** How many parts were compared. */
  readonly compared: number;
  /** The parts whose types differ, as `FILE PART`. */
  readonly different: readonly string[];
  /** The descriptions that openapi-typescript rejects. */
  readonly rejected: readonly string[];
  /** Errors of the compiler in our files. */
  readonly errors: readonly string[];
}

/**
 * Compares the types of descriptions.
 *
 * @param files - Paths below the repository.
 * @param settings - `compiler`: a version of TypeScript. `options`: those of our types. `theirs`: those of openapi-typescript; default: its defaults.
 */
export async function compareTypes(
  files: readonly string[],
  { compiler = "5.9", options = {}, theirs = {} }: ComparisonSettings = {},
): Promise<TypeComparison> {
  const folder = await mkdtemp(path.join(tmpdir(), "plumbline-types-"));
  try {
    const printed = await Promise.all(
      files.map((file, index) => printBoth(file, path.join(folder, String(index)), { options, theirs })),
    );
    await writeFile(path.join(folder, "package.json"), '{"type": "module"}');
    const lines = (await compile(folder, compiler)).split("\n").filter((line) => line.includes("error TS"));
    const different: string[] = [];
    const errors: string[] = [];
    for (const line of lines) {
      const [, index = "", row = ""] = /^(\d+)[\\/]checks\.ts\((\d+),/.exec(line) ?? [];
      const part = printed[Number(index)]?.parts[Number(row) - headLines - 1];
      if (/^\d+[\\/]theirs\.ts/.test(line)) continue;
      if (index === "" || part === undefined) errors.push(line);
      else different.push(`${files[Number(index)]} ${part}`);
    }
    return {
      compared: printed.reduce((sum, { parts }) => sum + parts.length, 0),
      different: [...new Set(different)],
      rejected: files.filter((_, index) => printed[index]?.isRejected === true),
      errors,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

export interface ComparisonSettings {
  readonly compiler?: Compiler;
  readonly options?: OpenapiTypesOptions;
  readonly theirs?: OpenAPITSOptions;
}

interface Printed {
  readonly parts: readonly string[];
  readonly isRejected: boolean;
}

async function printBoth(
  file: string,
  folder: string,
  { options, theirs }: Required<Pick<ComparisonSettings, "options" | "theirs">>,
): Promise<Printed> {
  const document = await bundleDescription({ description: path.resolve(repository, file), overlays: [] });
  const nodes = await openapiTS(structuredClone(document) as unknown as OpenAPI3, { silent: true, ...theirs }).catch(
    () => undefined,
  );
  if (nodes === undefined) return { parts: [], isRejected: true };
  const texts = {
    theirs: astToString(nodes),
    ours: printSourceFile(emitOpenapiTypes(document, options)),
  };
  const parts = partsOf(document).map((part) => ({ part, check: `Equal<Ours.${part}, Theirs.${part}>` }));
  const constants = { theirs: constantsOf(texts.theirs), ours: constantsOf(texts.ours) };
  const names = new Set([...constants.theirs.keys(), ...constants.ours.keys()]);
  for (const name of names) {
    const isSame = constants.theirs.get(name) === constants.ours.get(name);
    // A constant that only one of them has, or that has other values, fails as a type that differs does.
    const check = isSame ? `Equal<typeof Ours.${name}, typeof Theirs.${name}>` : "false";
    parts.push({ part: `const ${name}`, check });
  }
  await mkdir(folder);
  await writeFile(path.join(folder, "theirs.ts"), texts.theirs);
  await writeFile(path.join(folder, "ours.ts"), texts.ours);
  const checks = parts.map(({ check }) => `true satisfies ${check};`);
  await writeFile(path.join(folder, "checks.ts"), [...head, ...checks].join("\n"));
  return { parts: parts.map(({ part }) => part), isRejected: false };
}

/** The values of exported constants, as JSON, by name. */
function constantsOf(text: string): ReadonlyMap<string, string> {
  const found = text.matchAll(/^export const ([\w$]+)[^=]*= (\[[^\]]*\])/gm);
  return new Map(
    [...found].map(([, name = "", values = ""]) => [name, values.replaceAll(/\s+|,(?=\s*\])/g, "")] as const),
  );
}

/** The folders of two of the supported versions of TypeScript. */
const compilers: Readonly<Record<Exclude<Compiler, "6">, string>> = {
  "5.9": path.dirname(require.resolve("typescript/package.json")),
  "7": path.join(repository, "node_modules", "typescript"),
};

export type Compiler = "5.9" | "6" | "7";

const head = [
  'import type * as Ours from "./ours.js";',
  'import type * as Theirs from "./theirs.js";',
  "type Equal<X, Y> = (<T>() => T extends X ? 1 : 2) extends <T>() => T extends Y ? 1 : 2 ? true : false;",
];
const headLines = head.length;

const componentKinds = ["schemas", "responses", "parameters", "requestBodies", "headers", "pathItems"] as const;
const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

type Parts = Readonly<Record<string, Json>>;

/** The names of all parts that have types. */
function partsOf(document: Parts): readonly string[] {
  const components = (document["components"] ?? {}) as Readonly<Record<string, Parts | undefined>>;
  const items = Object.entries((document["paths"] ?? {}) as Readonly<Record<string, Parts>>);
  const ids = items.flatMap(([, item]) =>
    methods.flatMap((method) => (item[method] as { readonly operationId?: string } | undefined)?.operationId ?? []),
  );
  const text = JSON.stringify;
  return [
    ...componentKinds.flatMap((kind) =>
      Object.keys(components[kind] ?? {}).map((name) => `components[${text(kind)}][${text(name)}]`),
    ),
    ...[...new Set(ids)].map((id) => `operations[${text(id.replaceAll("#", "/"))}]`),
    ...items.map(([name]) => `paths[${text(name)}]`),
    "webhooks",
  ];
}

async function compile(folder: string, compiler: Compiler): Promise<string> {
  const options = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    // Only what is compared: the browser's types, and the correctness of the library, take most of a run.
    skipLibCheck: true,
    lib: ["es2022"],
    target: "es2022",
    module: "nodenext",
  };
  const project = path.join(folder, "tsconfig.json");
  await writeFile(project, JSON.stringify({ compilerOptions: { ...options, types: [] }, include: ["**/*.ts"] }));
  if (compiler === "6") return compileWithTypeScript6(project);
  const program = path.join(compilers[compiler], "bin", "tsc");
  return promisify(execFile)(process.execPath, [program, "-p", project, "--pretty", "false"], {
    cwd: folder,
    maxBuffer: 2 ** 26,
  }).then(
    ({ stdout }) => stdout,
    (error: { readonly stdout: string }) => error.stdout,
  );
}

/** TypeScript 6 is in ts-morph: installed beside 7, one of them would be `tsc` by chance. */
function compileWithTypeScript6(project: string): string {
  const folder = path.dirname(project);
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(project, (file) => ts.sys.readFile(file)).config,
    ts.sys,
    folder,
  );
  const host = ts.createCompilerHost(options);
  // It has the types of the language in memory only.
  const library = path.join(compilers["5.9"], "lib");
  host.getDefaultLibLocation = () => library;
  host.getDefaultLibFileName = (given) => path.join(library, ts.getDefaultLibFileName(given));
  const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram(fileNames, options, host));
  return ts.formatDiagnostics(diagnostics, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => folder,
    getNewLine: () => "\n",
  });
}
