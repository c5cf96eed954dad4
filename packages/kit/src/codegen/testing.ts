import path from "node:path";
import type { Api } from "../model/index.js";
import { bundleDescription, buildApi, type Description, loadDescription, readSource } from "../openapi/index.js";
import { type FixtureFiles, withFixtureFolder } from "../openapi/testing.js";
import { printManagedJson, type GeneratedFile } from "./files.js";
import { formatFile } from "./format-file.js";
import type { GenerateFilesOptions, Generator, GeneratorOptions } from "./generator.js";
import type { OptionTable, OptionValues } from "./option-table.js";

/** The input of a test of a generator. */
export interface GeneratorTest<Values, Input> {
  /** The text of an OpenAPI description, or texts by path with the description in `openapi.yaml` and other files that `read` opens. */
  readonly description: FixtureFiles;
  /** The options of the generator. Paths are relative to the description. Default: its defaults. */
  readonly config?: Partial<Values>;
  /** Replaces the result of `read`. */
  readonly input?: Input;
  /** The name of the artifact's package. Default: `@example/artifact`. */
  readonly package?: string;
  /** Names of operations and schemas, as `names` in plumbline.yaml. */
  readonly names?: Readonly<Record<string, string>>;
  /** Names of custom keywords, as `keywords` in plumbline.yaml. */
  readonly keywords?: readonly string[];
  /** The texts of files that are in the folder of the artifact, by path. */
  readonly output?: Readonly<Record<string, string>>;
  /** The data of other artifacts, by name. */
  readonly artifacts?: Readonly<Record<string, unknown>>;
  /** The generators whose files this one contains, by artifact. */
  readonly generators?: Readonly<Record<string, AnyGenerator>>;
}

/** A generator with any options. */
interface AnyGenerator {
  readonly files: (api: Api, options: never) => readonly GeneratedFile[] | Promise<readonly GeneratedFile[]>;
}

/**
 * Runs a generator as `plumbline generate` would, without plumbline.yaml.
 *
 * @param generator - The generator.
 * @param test - The description, and the options that differ from their defaults.
 * @returns The formatted texts of the files, by path. A JSON file with managed keys is printed with its defaults.
 * @throws DiagnosticsError for an invalid description.
 * @example
 * ```js
 * const files = await testGenerator(generator, { description: await readFile("openapi.yaml", "utf8") });
 * assert.equal(files["routes.md"], await readFile("golden/routes.md", "utf8"));
 * ```
 */
export async function testGenerator<Table extends OptionTable, Input>(
  generator: Generator<Table, Input>,
  {
    description: texts,
    config,
    input,
    output = {},
    artifacts = {},
    generators = {},
    names = {},
    keywords,
    ...rest
  }: GeneratorTest<OptionValues<Table>, Input>,
): Promise<Readonly<Record<string, string>>> {
  return withFixtureFolder(texts, async (folder) => {
    const description = await loadDescription(path.join(folder, "openapi.yaml"));
    const { locate } = description;
    const api = buildApi(description, { names, keywords, requirements: undefined });
    const values = valuesOf(generator.options, config ?? {}, folder) as OptionValues<Table>;
    const files = await generator.files(api, {
      ...testOptions(rest.package),
      locate,
      config: values,
      input: input ?? ((await generator.read?.(api, { ...readers(description, output), config: values })) as Input),
      artifacts,
      generateFiles: (kind, options) => generateWith(api, generators, { kind, ...options }),
      document: () => bundleDescription({ description: path.join(folder, "openapi.yaml"), overlays: [] }),
    });
    return Object.fromEntries(await Promise.all(files.map(printFile)));
  });
}

/** What `read` uses: files beside the description, and those of the artifact. */
function readers({ folder, locate }: Description, output: Readonly<Record<string, string>>) {
  return {
    description: path.join(folder, "openapi.yaml"),
    locate,
    readApi: async (file: string) => buildApi(await loadDescription(file), { names: {}, requirements: undefined }),
    readText: async (file: string) => (await readSource(file, folder)).text,
    output: { folder: "artifact", readText: async (file: string) => output[file] },
  };
}

/** The options of an artifact in tests of emitters. */
export function testOptions(name = "@example/artifact"): GeneratorOptions {
  return {
    package: name,
    private: false,
    source: (origin) => `spec/${origin.file}#${origin.pointer}`,
    locate: (origin) => ({ ...origin, line: 1, column: 1 }),
    config: {},
    input: undefined,
    document: () => Promise.reject(new Error("Options without a description have no document.")),
    artifacts: {},
    generateFiles: (kind) => Promise.reject(missingGenerator(kind)),
  };
}

async function generateWith(
  api: Api,
  generators: Readonly<Record<string, AnyGenerator>>,
  { kind, package: name, config = {} }: GenerateFilesOptions & { readonly kind: string },
): Promise<readonly GeneratedFile[]> {
  const generator = generators[kind];
  if (generator === undefined) throw missingGenerator(kind);
  const options: GeneratorOptions = { ...testOptions(name), config };
  // Which options it has is unknown here, as it is to the command.
  return generator.files(api, options as never);
}

function missingGenerator(kind: string): Error {
  return new Error(`There is no generator of the artifact \`${kind}\`. Pass it in \`generators\`.`);
}

async function printFile(file: GeneratedFile): Promise<readonly [path: string, text: string]> {
  if ("original" in file) return [file.path, file.text];
  if ("text" in file) return [file.path, (await formatFile(file)).text];
  return [file.path, printManagedJson(file)];
}

/** The values of the options: those of the test, else the defaults. Paths become absolute. */
function valuesOf(
  table: OptionTable = {},
  settings: Readonly<Record<string, unknown>>,
  folder: string,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(table).map(([key, option]) => {
      const value: unknown = settings[key] ?? option.default;
      const isPath = option.type === "string" && option.format === "path" && typeof value === "string";
      return [key, isPath ? path.resolve(folder, value) : value] as const;
    }),
  );
}
