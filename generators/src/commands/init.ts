import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { isConfigFile, readConfig } from "../config.js";
import { runtimeVersion } from "../emit/runtimes.js";
import { DamagedFileError, UnwrittenError } from "../emit/writer.js";
import type { Read } from "../generate.js";
import { isObject } from "../json.js";
import { kinds } from "../kinds.js";
import { ProblemError } from "../problem.js";
import { UsageError, listOf, relocated, type Command, type ExitCode, type Given, type Terminal } from "./command.js";
import { configurationText } from "./init/configuration.js";
import { FieldError, prepare, type Manifest, type Prepared, type Wanted } from "./init/manifest.js";
import { alreadyThere, put } from "./init/putting.js";
import { Objection, questionsOn, type Questions } from "./init/questions.js";

export const command: Command = {
  options: { scope: "text", artifacts: "text", yes: "flag", json: "flag" },
  positionals: 1,
  help: `plumbline init [FILE] [--scope @NAME] [--artifacts ARTIFACT,…] [--yes] [--json]

Makes a repository ready for packages that are generated from its description: writes spec/plumbline.yaml, and adds workspaces, scripts and the generator to package.json.

  FILE            an OpenAPI 3.0 or 3.1 description; on a terminal it is asked for
  --scope @NAME   of the packages: @NAME/client; else as package.json is named, or the description
  --artifacts     only these, separated by commas (${kinds.join(", ")})
  --yes           asks nothing
  --json          what was written, and what comes next, as one JSON object on standard output; asks nothing

What is there already stays as it is. With problems in the description nothing is written.

Examples
  plumbline init openapi.yaml
  plumbline init openapi.yaml --scope @acme --artifacts client,server --yes
`,
  run: init,
};

async function init(given: Given, terminal: Terminal): Promise<ExitCode> {
  const stated = { scope: given.text("scope"), artifacts: given.text("artifacts") };
  const scope = stated.scope === undefined ? undefined : valid(scopeOf(stated.scope));
  const artifacts = stated.artifacts === undefined ? undefined : valid(artifactsOf(listOf(given, "artifacts")));
  const asksNothing = given.flag("yes") || given.flag("json") || !process.stdin.isTTY || !terminal.error.isTTY;
  const config = await freeConfig(terminal.folder);
  const questions = asksNothing ? undefined : questionsOn({ input: process.stdin, output: terminal.error });
  try {
    const file = await descriptionFor(given, terminal, questions);
    const manifest = await readManifest(terminal.folder);
    const read = await readDescription(file, terminal);
    const usual = await usualScope(manifest, read);
    const chosen = {
      scope: scope ?? (questions === undefined ? usual : await questions.ask("Scope of the packages?", usual, scopeOf)),
      artifacts:
        artifacts ??
        (questions === undefined
          ? kinds
          : await questions.ask("Artifacts?", kinds.join(","), (answer) => artifactsOf(answer.split(/[\s,]+/)))),
    };
    await refuseTaken(terminal.folder, chosen.artifacts);
    const description = path.relative(path.dirname(config), path.resolve(terminal.folder, file));
    const text = configurationText({ ...chosen, description: description.split(path.sep).join("/") });
    const target = path.join(terminal.folder, "package.json");
    const prepared = preparedOr(target, () => prepare(manifest, wanted));
    const changed = prepared.added.length === 0 ? undefined : { file: target, text: prepared.text };
    await put({ fresh: { file: config, text }, changed });
    tell({ config, file, read, manifest, prepared }, given, terminal);
    return 0;
  } finally {
    questions?.close();
  }
}

const wanted: Wanted = {
  scripts: {
    generate: "plumbline generate",
    check: "plumbline generate --check",
    build: "npm run build --workspaces --if-present",
  },
  // What is generated is TypeScript, and builds with its compiler.
  devDependencies: { "@plumbline/generators": runtimeVersion, typescript: "^7.0.2" },
};

function valid<T>(judged: T | Objection): T {
  if (judged instanceof Objection) throw new UsageError(judged.text);
  return judged;
}

function scopeOf(text: string): string | Objection {
  if (/^@[a-z0-9][a-z0-9._-]{0,99}$/.test(text)) return text;
  return new Objection(`"${text}" is no scope of npm; write one such as @acme.`);
}

function artifactsOf(names: readonly string[]): readonly string[] | Objection {
  const unknown = names.find((name) => !kinds.some((kind) => kind === name));
  if (unknown !== undefined) return new Objection(`There is no artifact "${unknown}"; there are: ${kinds.join(", ")}.`);
  return names.length > 0 ? kinds.filter((kind) => names.includes(kind)) : new Objection("No artifact is named.");
}

/** Where the configuration goes. Throws an UnwrittenError where there is one. */
async function freeConfig(folder: string): Promise<string> {
  const file = path.join(folder, "spec", "plumbline.yaml");
  for (const each of [file, path.join(folder, "plumbline.yaml")])
    if ((await textOf(each)) !== undefined) throw alreadyThere(each);
  return file;
}

async function descriptionFor(given: Given, { folder }: Terminal, questions: Questions | undefined): Promise<string> {
  const [named] = given.positionals;
  if (named !== undefined) {
    if (isConfigFile(named)) throw new UsageError(`${named} says what to generate; name the description itself.`);
    return named;
  }
  const { descriptionsIn } = await import("./init/descriptions.js");
  const found = await descriptionsIn(folder);
  const [first] = found;
  if (questions === undefined)
    throw new UsageError(`Name the description that is yours: plumbline init ${first ?? "openapi.yaml"}.`);
  for (const [index, file] of found.entries()) questions.say(`  ${index + 1}  ${file}`);
  return questions.ask("Which description, by its path or number?", first, (answer) => {
    if (answer === "") return new Objection("Write the path of an OpenAPI description, such as openapi.yaml.");
    return found[Number(answer) - 1] ?? answer;
  });
}

/** Reads and lints a description, and plans every package of it: what is written here can be generated. Throws a ProblemError. */
async function readDescription(file: string, terminal: Terminal): Promise<Read> {
  const { readAll } = await import("../generate.js");
  const config = await readConfig({ spec: file, out: "packages", from: terminal.folder, kinds });
  const { reads, refused } = await readAll(config, { only: [] });
  const [read] = reads;
  const problems = refused.flatMap((each) => each.problems.map((problem) => relocated(problem, each.folder, terminal)));
  if (read === undefined || problems.length > 0) throw new ProblemError(problems);
  return read;
}

/** As the packages of this repository are scoped, else as it is named, else as the API is. */
async function usualScope({ fields: { name } }: Manifest, { api }: Read): Promise<string> {
  const { packageName } = await import("../generate.js");
  const own = typeof name === "string" ? `@${name.replace(/^@/, "").split("/")[0] ?? ""}`.toLowerCase() : "";
  return scopeOf(own) === own ? own : `@${packageName(api.title)}`;
}

async function readManifest(folder: string): Promise<Manifest> {
  const file = path.join(folder, "package.json");
  const text = await textOf(file);
  if (text === undefined) return { text, fields: {} };
  try {
    const fields: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    if (isObject(fields)) return { text, fields };
  } catch (cause) {
    throw new DamagedFileError(path.relative(folder, file), cause);
  }
  throw new UnwrittenError(file, "This is no object of JSON. Nothing was changed.");
}

async function textOf(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
}

/** The generator writes no package over what somebody else has there. */
async function refuseTaken(folder: string, artifacts: readonly string[]): Promise<void> {
  for (const kind of artifacts) {
    const out = path.join(folder, "packages", kind);
    const names = await readdir(out).catch(() => []);
    const message = `This folder is there already, and the ${kind} would go there. Move it away, or name other artifacts with --artifacts. Nothing was changed.`;
    if (names.length > 0) throw new UnwrittenError(out, message);
  }
}

function preparedOr(file: string, make: () => Prepared): Prepared {
  try {
    return make();
  } catch (error) {
    if (error instanceof FieldError)
      throw new UnwrittenError(file, `${error.message} Mend it first. Nothing was changed.`);
    throw error;
  }
}

interface Done {
  readonly config: string;
  readonly file: string;
  readonly read: Read;
  readonly manifest: Manifest;
  readonly prepared: Prepared;
}

function tell({ config, file, read, manifest, prepared }: Done, given: Given, terminal: Terminal): void {
  const next = nextAfter(manifest);
  const written = path.relative(terminal.folder, config);
  const isNew = manifest.text === undefined;
  if (given.flag("json")) {
    const outcome = { written: [written, ...(isNew ? ["package.json"] : [])], added: prepared.added, next };
    terminal.out.write(`${JSON.stringify(outcome, undefined, 2)}\n`);
    return;
  }
  const count = read.warnings.length;
  if (count > 0)
    terminal.error.write(`${count} ${count === 1 ? "warning" : "warnings"}; plumbline lint ${file} tells.\n`);
  terminal.out.write(`wrote    ${written}\n`);
  if (prepared.added.length > 0)
    terminal.out.write(`${isNew ? "wrote   " : "changed "} package.json: ${prepared.added.join(", ")}\n`);
  terminal.out.write(`\nNext:\n${next.map((each) => `  ${each}\n`).join("")}`);
}

/** The second `npm install` gives the packages that are new then what they depend on. */
function nextAfter({ fields }: Manifest): readonly string[] {
  const scripts = isObject(fields["scripts"]) ? fields["scripts"] : {};
  const isOurs = (name: "generate" | "build"): boolean =>
    (scripts[name] ?? wanted.scripts[name]) === wanted.scripts[name];
  return [
    "npm install",
    `${isOurs("generate") ? "npm run generate" : "npx plumbline generate"} && npm install`,
    isOurs("build") ? "npm run build" : String(wanted.scripts["build"]),
  ];
}
