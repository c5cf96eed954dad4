import { readdir } from "node:fs/promises";
import path from "node:path";
import { isConfigFile, readConfig } from "../config.js";
import { UnwrittenError } from "../emit/writer.js";
import type { Read } from "../generate.js";
import { kinds } from "../kinds.js";
import { ProblemError } from "../problem.js";
import { isInside } from "../spec/boundary.js";
import { UsageError, listOf, relocated, type Command, type ExitCode, type Given, type Terminal } from "./command.js";
import { configurationText } from "./init/configuration.js";
import { gitignore } from "./init/gitignore.js";
import { installerOf, type Installer } from "./init/installer.js";
import { FieldError, prepare, type Manifest } from "./init/manifest.js";
import { pnpmWorkspace } from "./init/pnpm-workspace.js";
import { alreadyThere, put } from "./init/putting.js";
import { Objection, questionsOn, type Questions } from "./init/questions.js";
import { readManifest, textOf } from "./init/reading.js";
import { nextWith, wantedWith } from "./init/scripts.js";
import { tell, type Change } from "./init/telling.js";

export const command: Command = {
  options: { scope: "text", artifacts: "text", yes: "flag", json: "flag" },
  positionals: 1,
  help: `plumbline init [FILE] [--scope @NAME] [--artifacts ARTIFACT,…] [--yes] [--json]

Sets up a repository for packages that are generated from its description.
It writes spec/plumbline.yaml and, where there is none, a .gitignore. It adds workspaces, scripts and the generator to package.json;
with pnpm, workspaces go to pnpm-workspace.yaml.

  FILE            an OpenAPI 3.0 or 3.1 description. Default on a terminal: init asks for it
  --scope @NAME   the npm scope of the packages, such as @NAME/client. Default: the name in package.json, or the title of the API
  --artifacts     artifacts to set up, separated by commas: ${kinds.join(", ")}. Default: all
  --yes           use the defaults without questions
  --json          print the written files and the next commands as one JSON object; asks no questions

Existing content stays unchanged. With errors in the description it writes nothing.

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
  const asksNothing = given.flag("yes") || given.flag("json") || !process.stdin.isTTY || terminal.error.isTTY !== true;
  const config = await freeConfig(terminal.folder);
  const questions = asksNothing ? undefined : questionsOn({ input: process.stdin, output: terminal.error });
  try {
    const file = await descriptionFor(given, terminal, questions);
    const manifest = await readManifest(terminal.folder);
    const read = await readDescription(file, terminal, path.dirname(config));
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
    const installer = await installerOf(terminal.folder, manifest);
    const ignored = await gitignore(terminal.folder, chosen.artifacts);
    const changes = [
      { file: config, text, isNew: true, added: [] },
      ...packageJson(terminal.folder, manifest, installer),
      ...(installer.workspaces === "package.json" ? [] : await pnpmWorkspace(terminal.folder)),
      ...ignored.changes,
    ];
    await put({ fresh: changes.filter(({ isNew }) => isNew), changed: changes.filter(({ isNew }) => !isNew) });
    const { unignored } = ignored;
    const warnings = read.warnings.length;
    tell({ description: file, warnings, changes, unignored, next: nextWith(installer, manifest) }, given, terminal);
    return 0;
  } finally {
    questions?.close();
  }
}

function valid<T>(answer: T | Objection): T {
  if (answer instanceof Objection) throw new UsageError(answer.text);
  return answer;
}

function scopeOf(text: string): string | Objection {
  if (/^@[a-z0-9][a-z0-9._-]{0,99}$/.test(text)) return text;
  return new Objection(`"${text}" is not a valid npm scope. Use one such as @acme.`);
}

function artifactsOf(names: readonly string[]): readonly string[] | Objection {
  const unknown = names.find((name) => !kinds.some((kind) => kind === name));
  if (unknown !== undefined)
    return new Objection(`Unknown artifact "${unknown}". Known artifacts: ${kinds.join(", ")}.`);
  return names.length > 0 ? kinds.filter((kind) => names.includes(kind)) : new Objection("Name at least one artifact.");
}

/** The path of the new configuration. Throws an UnwrittenError where one exists. */
async function freeConfig(folder: string): Promise<string> {
  const file = path.join(folder, "spec", "plumbline.yaml");
  for (const each of [file, path.join(folder, "plumbline.yaml")])
    if ((await textOf(each)) !== undefined) throw alreadyThere(each);
  return file;
}

async function descriptionFor(given: Given, { folder }: Terminal, questions: Questions | undefined): Promise<string> {
  const [named] = given.positionals;
  if (named !== undefined) {
    if (isConfigFile(named)) throw new UsageError(`${named} is a configuration. Pass the description itself.`);
    return named;
  }
  const { descriptionsIn } = await import("./init/descriptions.js");
  const found = await descriptionsIn(folder);
  const [first] = found;
  if (questions === undefined)
    throw new UsageError(`Missing argument FILE. Pass your description: plumbline init ${first ?? "openapi.yaml"}.`);
  for (const [index, file] of found.entries()) questions.say(`  ${index + 1}  ${file}`);
  return questions.ask("Which description, by its path or number?", first, (answer) => {
    if (answer === "") return new Objection("Write the path of an OpenAPI description, such as openapi.yaml.");
    return found[Number(answer) - 1] ?? answer;
  });
}

/** Reads and lints a description, and generates all packages in memory, so that the configuration works. Throws a ProblemError. */
async function readDescription(file: string, terminal: Terminal, configFolder: string): Promise<Read> {
  const { readAll } = await import("../generate.js");
  // References have the same boundary as with the future plumbline.yaml.
  const isBelow = isInside(path.resolve(terminal.folder, file), configFolder);
  const config = await readConfig({
    spec: file,
    out: "packages",
    from: terminal.folder,
    kinds,
    ...(isBelow && { top: configFolder }),
  });
  const { reads, refused } = await readAll(config, { only: [] });
  const [read] = reads;
  const problems = refused.flatMap((each) => each.problems.map((problem) => relocated(problem, each.folder, terminal)));
  if (read === undefined || problems.length > 0) throw new ProblemError(problems);
  return read;
}

/** The default scope: that of the package.json, else its name, else the title of the API. */
async function usualScope({ fields: { name } }: Manifest, { api }: Read): Promise<string> {
  const { packageName } = await import("../generate.js");
  const own = typeof name === "string" ? `@${name.replace(/^@/, "").split("/")[0] ?? ""}`.toLowerCase() : "";
  return scopeOf(own) === own ? own : `@${packageName(api.title)}`;
}

/** Rejects folders with files: the generator never overwrites them. */
async function refuseTaken(folder: string, artifacts: readonly string[]): Promise<void> {
  for (const kind of artifacts) {
    const out = path.join(folder, "packages", kind);
    const names = await readdir(out).catch(() => []);
    const message = `This folder exists already, and is the folder of the ${kind}. Move it away, or choose other artifacts with --artifacts. Nothing was changed.`;
    if (names.length > 0) throw new UnwrittenError(out, message);
  }
}

function packageJson(folder: string, manifest: Manifest, installer: Installer): readonly Change[] {
  const file = path.join(folder, "package.json");
  try {
    const { text, added } = prepare(manifest, wantedWith(installer));
    return added.length === 0 ? [] : [{ file, text, isNew: manifest.text === undefined, added }];
  } catch (error) {
    if (error instanceof FieldError)
      throw new UnwrittenError(file, `${error.message} Fix it first. Nothing was changed.`);
    throw error;
  }
}
