import { readdir } from "node:fs/promises";
import path from "node:path";
import { flag, list, oneOf, optionalArgument, string, UsageError, type OptionValues } from "@plumbline/command-line";
import { DiagnosticsError } from "@plumbline/kit/model";
import { didYouMean } from "@plumbline/kit/openapi";
import { isInside } from "@plumbline/kit/openapi/files";
import { artifactKinds, builtInGenerators, optionalArtifacts, usualArtifacts } from "../artifact-kinds.js";
import { isConfigFile, readConfig, sourcesKinds } from "../config/config.js";
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
import { planApplicationSources, sourcesByArtifact, type InitPlan } from "./init/application-sources.js";
import { existingFileError, writeAtomically } from "./init/atomic-write.js";
import { adapterNames, configurationText, type Configuration, type DescriptionEntry } from "./init/configuration.js";
import { planGitignore } from "./init/gitignore.js";
import { reportInit, type FileChange } from "./init/init-report.js";
import { nextCommands, requiredManifestFields } from "./init/manifest-scripts.js";
import type { Manifest } from "./init/manifest.js";
import { detectPackageManager } from "./init/package-commands.js";
import { planPnpmWorkspace } from "./init/pnpm-workspace.js";
import { InvalidAnswer, createPrompter, type Prompter } from "./init/prompter.js";
import { planPackageJson, readManifest, readTextIfExists } from "./init/read-manifest.js";
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
    `artifacts to set up, separated by commas: ${artifactKinds.join(", ")}. Default: ${usualArtifacts.join(", ")}; with --sources client`,
    artifactKinds,
  ),
  adapter: oneOf(
    "NAME",
    adapterNames,
    `the server that handlers start from: ${adapterNames.join(", ")}. Default: node`,
  ),
  sources: string(
    "FOLDER",
    `set up artifacts in this folder of an application, such as src/api, in place of packages: ${[...sourcesKinds].join(", ")}. Several have a folder each in it. init writes plumbline.yaml, and adds the generator and the runtimes to package.json, but no workspaces and no scripts`,
    "file",
  ),
  yes: flag("use the defaults without questions"),
  json: flag("print the written files and the next commands as one JSON object; asks no questions"),
};

export const initCommand: PlumblineCommand = defineCommand({
  usage: "[FILE | URL] [options]",
  text: "Sets up a repository for packages that are generated from its description, or with --sources an application for artifacts in its sources. It writes spec/plumbline.yaml and, where there is none, a .gitignore. It adds workspaces, scripts and the generator to package.json; with pnpm, workspaces go to pnpm-workspace.yaml. Existing content stays unchanged. With errors in the description it writes nothing.",
  options,
  examples: [
    "plumbline init openapi.yaml",
    "plumbline init openapi.yaml --scope @acme --artifacts client,server --yes",
    "plumbline init openapi.yaml --sources src/api",
    "plumbline init openapi.yaml --sources src/api --artifacts client,validator",
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
  const packageOption = packageOptions.find((name) => values.sources !== undefined && values[name] !== undefined);
  if (packageOption !== undefined) throw new UsageError(`--sources sets up no packages. Leave out --${packageOption}.`);
  const ownPackage = stated.artifacts?.find((kind) => values.sources !== undefined && !sourcesKinds.has(kind));
  if (ownPackage !== undefined)
    throw new UsageError(
      `The artifact ${ownPackage} has more than sources. --sources sets up ${[...sourcesKinds].join(", ")}.`,
    );
  const asksNothing = values.yes || values.json || !process.stdin.isTTY || io.stderr.isTTY !== true;
  const sources = values.sources === undefined ? undefined : path.resolve(io.folder, values.sources);
  const { artifacts: sourcesArtifacts = ["client"] } = stated;
  const config = await findFreeConfigPath(io.folder, { sources, artifacts: stated.artifacts });
  const questions = asksNothing ? undefined : createPrompter({ input: process.stdin, output: io.stderr });
  try {
    const file = await chooseDescription(values.file, io, questions);
    const manifest = await readManifest(io.folder);
    const { read, remote } = await readAnyDescription(file, io, {
      folder: path.dirname(config),
      artifacts: sources === undefined ? usualArtifacts : sourcesArtifacts,
    });
    const saved = (remote?.files ?? []).map(({ name, text }) => newFile(path.join(io.folder, "spec", name), text));
    const description = saved[0]?.file ?? path.resolve(io.folder, file);
    const described = {
      description: path.relative(path.dirname(config), description).split(path.sep).join("/"),
      ...(remote !== undefined && { source: remote.source }),
    };
    const { configuration, changes, unignored, next } =
      sources === undefined
        ? await planPackages(await chooseSetup(stated, await defaultScope(manifest, read), questions), {
            folder: io.folder,
            manifest,
            described,
          })
        : await planApplicationSources({
            folder: io.folder,
            sources,
            artifacts: sourcesArtifacts,
            manifest,
            described,
          });
    const allChanges = [...saved, newFile(config, configuration), ...changes];
    await writeAtomically({
      created: allChanges.filter(({ isNew }) => isNew),
      changed: allChanges.filter(({ isNew }) => !isNew),
    });
    const report = {
      description: remote === undefined ? file : path.relative(io.folder, description),
      // `plumbline generate` prints those of generators, `plumbline lint` does not.
      warnings: read.warnings.length - read.generatorWarnings.length,
      changes: allChanges,
      unignored,
      next,
    };
    reportInit(report, values.json ? "json" : "text", io);
    return 0;
  } finally {
    questions?.close();
  }
}

/** The options of packages, which `--sources` does not set up. */
const packageOptions = ["scope", "adapter"] as const;

interface PackagesInput {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly described: DescriptionEntry;
}

/** Plans packages in workspaces. */
async function planPackages(setup: Setup, { folder, manifest, described }: PackagesInput): Promise<InitPlan> {
  await rejectExistingFolders(folder, setup.artifacts);
  const installer = await detectPackageManager(folder, manifest);
  const { changes: ignoreChanges, unignored } = await planGitignore(folder, setup.artifacts);
  return {
    configuration: configurationText({ ...setup, ...described }),
    changes: [
      ...planPackageJson(folder, manifest, requiredManifestFields(installer, setup.artifacts)),
      ...(installer.workspaces === "package.json" ? [] : await planPnpmWorkspace(folder)),
      ...ignoreChanges,
    ],
    unignored,
    next: nextCommands(installer, manifest, setup.artifacts),
  };
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

/** What the user asked for. */
interface Wanted {
  /** Absolute path of the folder for artifacts without packages. */
  readonly sources: string | undefined;
  readonly artifacts: readonly string[] | undefined;
}

/** The path of the new configuration: in `spec`, or beside the package.json of an application. Throws a WriteError where one exists. */
async function findFreeConfigPath(folder: string, wanted: Wanted): Promise<string> {
  const inSpec = path.join(folder, "spec", "plumbline.yaml");
  const atTop = path.join(folder, "plumbline.yaml");
  for (const each of [inSpec, atTop])
    if ((await readTextIfExists(each)) !== undefined) throw existingConfigError(each, wanted);
  return wanted.sources === undefined ? inSpec : atTop;
}

/** The error for an existing configuration. Says how to add what was asked for. */
function existingConfigError(file: string, { sources, artifacts }: Wanted): WriteError {
  const added = (artifacts ?? (sources === undefined ? [] : ["client"])).filter((kind) => kind !== "handlers");
  if (added.length === 0) return existingFileError(file);
  const inSources = sources && sourcesByArtifact(added, { sources, from: path.dirname(file) });
  const folderOf = (kind: string): string =>
    inSources ? `sources: ${inSources.get(kind)}` : `package: '@NAME/${kind}', out: ../packages/${kind}`;
  const packages = optionalArtifacts.filter((kind) => added.includes(kind)).map((kind) => builtInGenerators[kind]);
  const lines = added.map((kind) => `      ${kind}: {${folderOf(kind)}}`);
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

/** The plumbline.yaml to write. */
interface FutureConfig {
  /** Absolute path of its folder. */
  readonly folder: string;
  readonly artifacts: readonly string[];
}

/** Reads the description in a file or at a URL. */
async function readAnyDescription(
  file: string,
  io: CommandIo,
  future: FutureConfig,
): Promise<{
  readonly read: DescriptionResult;
  readonly remote: Omit<RemoteDescription<DescriptionResult>, "read"> | undefined;
}> {
  if (!isUrl(file)) return { read: await readDescription(file, io, future), remote: undefined };
  const { readRemoteDescription } = await import("./init/remote-description.js");
  const { read, ...remote } = await readRemoteDescription(file, (name, folder) =>
    readDescription(name, { ...io, folder }, { ...future, folder }),
  );
  return { read, remote };
}

/** Reads and lints a description, and generates all artifacts in memory, so that the configuration works. Throws a DiagnosticsError. */
async function readDescription(file: string, io: CommandIo, future: FutureConfig): Promise<DescriptionResult> {
  const { runPipeline } = await import("../pipeline.js");
  // References have the same boundary as with the future plumbline.yaml.
  const isBelow = isInside(path.resolve(io.folder, file), future.folder);
  const config = await readConfig({
    spec: file,
    out: "packages",
    from: io.folder,
    artifactKinds,
    artifacts: future.artifacts,
    ...(isBelow && { top: future.folder }),
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
