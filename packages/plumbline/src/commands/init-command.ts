import { readdir } from "node:fs/promises";
import path from "node:path";
import { flag, list, oneOf, optionalArgument, string, UsageError, type OptionValues } from "@plumbline/command-line";
import { DiagnosticsError } from "@plumbline/kit/model";
import { didYouMean } from "@plumbline/kit/openapi";
import { isInside } from "@plumbline/kit/openapi/files";
import { artifactKinds, builtInGenerators, optionalArtifacts, usualArtifacts } from "../artifact-kinds.js";
import { isConfigFile, readConfig } from "../config/config.js";
import type { DescriptionResult } from "../pipeline.js";
import { WriteError } from "../write/writer.js";
import {
  defineCommand,
  isUrl,
  relocateDiagnostics,
  type ExitCode,
  type CommandIo,
  type PlumblineCommand,
} from "./command.js";
import { existingFileError, writeAtomically } from "./init/atomic-write.js";
import { adapterNames, configurationText, type Configuration } from "./init/configuration.js";
import { planGitignore } from "./init/gitignore.js";
import { reportInit, type FileChange } from "./init/init-report.js";
import { nextCommands, requiredManifestFields } from "./init/manifest-scripts.js";
import { ManifestFieldError, updateManifest, type Manifest, type ManifestRequirements } from "./init/manifest.js";
import { detectPackageManager } from "./init/package-commands.js";
import { planPnpmWorkspace } from "./init/pnpm-workspace.js";
import { InvalidAnswer, createPrompter, type Prompter } from "./init/prompter.js";
import { readManifest, readTextIfExists } from "./init/read-manifest.js";
import type { RemoteDescription } from "./init/remote-description.js";

const options = {
  file: optionalArgument(
    string(
      "FILE",
      "an OpenAPI 3 description. Default on a terminal: init asks for it. Or the https or http address of one: init saves it once as spec/NAME, with the files of the same origin that it refers to, at most 50 MB, 30 s, and five redirects for each file. It sends no credentials",
      "file",
    ),
  ),
  scope: string(
    "@NAME",
    "the npm scope of the packages, such as @NAME/client. Default: the name in package.json, or the title of the API",
  ),
  artifacts: list(
    "LIST",
    `artifacts to set up, separated by commas: ${artifactKinds.join(", ")}. Default: ${usualArtifacts.join(", ")}`,
    artifactKinds,
  ),
  adapter: oneOf(
    "NAME",
    adapterNames,
    `the server that handlers start from: ${adapterNames.join(", ")}. Default: node`,
  ),
  yes: flag("use the defaults without questions"),
  json: flag("print the written files and the next commands as one JSON object; asks no questions"),
};

export const initCommand: PlumblineCommand = defineCommand({
  usage: "[FILE | URL] [options]",
  text: "Sets up a repository for packages that are generated from its description. It writes spec/plumbline.yaml and, where there is none, a .gitignore. It adds workspaces, scripts and the generator to package.json; with pnpm, workspaces go to pnpm-workspace.yaml. Existing content stays unchanged. With errors in the description it writes nothing.",
  options,
  examples: [
    "plumbline init openapi.yaml",
    "plumbline init openapi.yaml --scope @acme --artifacts client,server --yes",
    "plumbline init https://api.example/openapi.json",
  ],
  run: init,
});

async function init(values: OptionValues<typeof options>, io: CommandIo): Promise<ExitCode> {
  const stated = {
    scope: values.scope === undefined ? undefined : unwrapAnswer(parseScope(values.scope)),
    artifacts: values.artifacts === undefined ? undefined : unwrapAnswer(parseArtifacts(values.artifacts)),
    adapter: values.adapter,
  };
  const asksNothing = values.yes || values.json || !process.stdin.isTTY || io.stderr.isTTY !== true;
  const config = await findFreeConfigPath(io.folder, stated.artifacts);
  const questions = asksNothing ? undefined : createPrompter({ input: process.stdin, output: io.stderr });
  try {
    const file = await chooseDescription(values.file, io, questions);
    const manifest = await readManifest(io.folder);
    const { read, remote } = await readAnyDescription(file, io, path.dirname(config));
    const setup = await chooseSetup(stated, await defaultScope(manifest, read), questions);
    await rejectExistingFolders(io.folder, setup.artifacts);
    const saved = (remote?.files ?? []).map(({ name, text }) => newFile(path.join(path.dirname(config), name), text));
    const description = saved[0]?.file ?? path.resolve(io.folder, file);
    const text = configurationText({
      ...setup,
      description: path.relative(path.dirname(config), description).split(path.sep).join("/"),
      ...(remote !== undefined && { source: remote.source }),
    });
    const installer = await detectPackageManager(io.folder, manifest);
    const { changes: ignoreChanges, unignored } = await planGitignore(io.folder, setup.artifacts);
    const changes = [
      ...saved,
      newFile(config, text),
      ...planPackageJson(io.folder, manifest, requiredManifestFields(installer, setup.artifacts)),
      ...(installer.workspaces === "package.json" ? [] : await planPnpmWorkspace(io.folder)),
      ...ignoreChanges,
    ];
    await writeAtomically({
      created: changes.filter(({ isNew }) => isNew),
      changed: changes.filter(({ isNew }) => !isNew),
    });
    const report = {
      description: remote === undefined ? file : path.relative(io.folder, description),
      // `plumbline generate` prints those of generators, `plumbline lint` does not.
      warnings: read.warnings.length - read.generatorWarnings.length,
      changes,
      unignored,
      next: nextCommands(installer, manifest, setup.artifacts),
    };
    reportInit(report, values.json ? "json" : "text", io);
    return 0;
  } finally {
    questions?.close();
  }
}

type Setup = Pick<Configuration, "scope" | "artifacts" | "adapter">;

/** Asks for what is not stated. Without questions the defaults apply. */
async function chooseSetup(
  stated: { readonly [Key in keyof Setup]: Setup[Key] | undefined },
  usualScope: string,
  questions: Prompter | undefined,
): Promise<Setup> {
  const { scope = usualScope, artifacts = usualArtifacts, adapter = "node" } = stated;
  if (questions === undefined) return { scope, artifacts, adapter };
  const setup = {
    scope: stated.scope ?? (await questions.ask("Scope of the packages?", scope, parseScope)),
    artifacts: stated.artifacts ?? (await questions.ask("Artifacts?", artifacts.join(","), parseArtifactList)),
  };
  if (stated.adapter !== undefined || !setup.artifacts.includes("handlers")) return { ...setup, adapter };
  return { ...setup, adapter: await questions.ask("Server of the handlers?", adapter, parseAdapter) };
}

function newFile(file: string, text: string): FileChange {
  return { file, text, isNew: true, added: [] };
}

function unwrapAnswer<T>(answer: T | InvalidAnswer): T {
  if (answer instanceof InvalidAnswer) throw new UsageError(answer.text);
  return answer;
}

function parseScope(text: string): string | InvalidAnswer {
  if (/^@[a-z0-9][a-z0-9._-]{0,99}$/.test(text)) return text;
  return new InvalidAnswer(`"${text}" is not a valid npm scope. Use one such as @acme.`);
}

function parseArtifacts(names: readonly string[]): readonly string[] | InvalidAnswer {
  const unknown = names.find((name) => !artifactKinds.some((kind) => kind === name));
  if (unknown !== undefined)
    return new InvalidAnswer(`Unknown artifact "${unknown}". ${didYouMean(unknown, artifactKinds, "artifacts")}`);
  if (names.includes("handlers") && !names.includes("server"))
    return new InvalidAnswer("The artifact handlers requires the artifact server.");
  return names.length > 0
    ? artifactKinds.filter((kind) => names.includes(kind))
    : new InvalidAnswer("Name at least one artifact.");
}

function parseArtifactList(text: string): readonly string[] | InvalidAnswer {
  return parseArtifacts(text.split(/[\s,]+/));
}

function parseAdapter(name: string): string | InvalidAnswer {
  if (adapterNames.some((each) => each === name)) return name;
  return new InvalidAnswer(`Unknown adapter "${name}". Known adapters: ${adapterNames.join(", ")}.`);
}

/** The path of the new configuration. Throws a WriteError where one exists. */
async function findFreeConfigPath(folder: string, artifacts: readonly string[] | undefined): Promise<string> {
  const file = path.join(folder, "spec", "plumbline.yaml");
  for (const each of [file, path.join(folder, "plumbline.yaml")])
    if ((await readTextIfExists(each)) !== undefined) throw existingConfigError(each, artifacts);
  return file;
}

/** The error for an existing configuration. Says how to add what was asked for. */
function existingConfigError(file: string, artifacts: readonly string[] | undefined): WriteError {
  const added = (artifacts ?? []).filter((kind) => kind !== "handlers");
  if (added.length === 0) return existingFileError(file);
  const packages = optionalArtifacts.filter((kind) => added.includes(kind)).map((kind) => builtInGenerators[kind]);
  const lines = added.map((kind) => `      ${kind}: {package: '@NAME/${kind}', out: ../packages/${kind}}`);
  return new WriteError(
    file,
    [
      "This file exists already. Nothing was changed. To add artifacts, write below `artifacts:` of a description those of these lines that it lacks:",
      ...lines,
      ...(packages.length === 0 ? [] : [`and run npm install --save-dev ${packages.join(" ")}`]),
    ].join("\n"),
  );
}

async function chooseDescription(
  file: string | undefined,
  { folder }: CommandIo,
  questions: Prompter | undefined,
): Promise<string> {
  if (file !== undefined) {
    if (isConfigFile(file)) throw new UsageError(`${file} is a configuration. Pass the description itself.`);
    return file;
  }
  const { findDescriptions: descriptionsIn } = await import("./init/find-descriptions.js");
  const files = await descriptionsIn(folder);
  const [first] = files;
  if (questions === undefined)
    throw new UsageError(`Missing argument FILE. Pass your description: plumbline init ${first ?? "openapi.yaml"}.`);
  for (const [index, each] of files.entries()) questions.say(`  ${index + 1}  ${each}`);
  return questions.ask("Which description, by its path or number?", first, (answer) => {
    if (answer === "") return new InvalidAnswer("Write the path of an OpenAPI description, such as openapi.yaml.");
    return files[Number(answer) - 1] ?? answer;
  });
}

/** Reads the description in a file or at a URL. */
async function readAnyDescription(
  file: string,
  io: CommandIo,
  configFolder: string,
): Promise<{
  readonly read: DescriptionResult;
  readonly remote: Omit<RemoteDescription<DescriptionResult>, "read"> | undefined;
}> {
  if (!isUrl(file)) return { read: await readDescription(file, io, configFolder), remote: undefined };
  const { readRemoteDescription } = await import("./init/remote-description.js");
  const { read, ...remote } = await readRemoteDescription(file, (name, folder) =>
    readDescription(name, { ...io, folder }, folder),
  );
  return { read, remote };
}

/** Reads and lints a description, and generates all packages in memory, so that the configuration works. Throws a DiagnosticsError. */
async function readDescription(file: string, io: CommandIo, configFolder: string): Promise<DescriptionResult> {
  const { runPipeline } = await import("../pipeline.js");
  // References have the same boundary as with the future plumbline.yaml.
  const isBelow = isInside(path.resolve(io.folder, file), configFolder);
  const config = await readConfig({
    spec: file,
    out: "packages",
    from: io.folder,
    artifactKinds,
    artifacts: usualArtifacts,
    ...(isBelow && { top: configFolder }),
  });
  const { results, rejected } = await runPipeline(config, { only: [] });
  const [read] = results;
  const diagnostics = relocateDiagnostics(rejected, io);
  if (read === undefined || diagnostics.length > 0) throw new DiagnosticsError(diagnostics);
  return read;
}

/** The default scope: that of the package.json, else its name, else the title of the API. */
async function defaultScope({ fields: { name } }: Manifest, { api }: DescriptionResult): Promise<string> {
  const { packageNameFromTitle: packageName } = await import("../generate/artifact-input.js");
  const scope = typeof name === "string" ? `@${name.replace(/^@/, "").split("/")[0] ?? ""}`.toLowerCase() : "";
  return parseScope(scope) === scope ? scope : `@${packageName(api.title)}`;
}

/** Rejects folders with files: the generator never overwrites them. */
async function rejectExistingFolders(folder: string, artifacts: readonly string[]): Promise<void> {
  for (const kind of artifacts.filter((each) => each !== "handlers")) {
    const out = path.join(folder, "packages", kind);
    const names = await readdir(out).catch(() => []);
    const message = `This folder exists already, and is the folder of the ${kind}. Move it away, or choose other artifacts with --artifacts. Nothing was changed.`;
    if (names.length > 0) throw new WriteError(out, message);
  }
}

function planPackageJson(folder: string, manifest: Manifest, required: ManifestRequirements): readonly FileChange[] {
  const file = path.join(folder, "package.json");
  try {
    const { text, added } = updateManifest(manifest, required);
    return added.length === 0 ? [] : [{ file, text, isNew: manifest.text === undefined, added }];
  } catch (error) {
    if (error instanceof ManifestFieldError)
      throw new WriteError(file, `${error.message} Fix it first. Nothing was changed.`);
    throw error;
  }
}
