import type { Json } from "@plumbline/model";
import { buildFixtureApi, type FixtureFiles } from "@plumbline/openapi/testing";
import type { GeneratedFile } from "./files.js";
import { formatFile } from "./format-file.js";
import type { Generator, GeneratorOptions } from "./generator.js";
import type { OptionTable, OptionValues } from "./option-table.js";

/** The input of a test of a generator. */
export interface GeneratorTest<Values, Input> {
  /** The text of an OpenAPI description, or texts by path with the description in `openapi.yaml`. */
  readonly description: FixtureFiles;
  /** The options of the generator. Default: its defaults. */
  readonly config?: Partial<Values>;
  /** What `read` would return, for generators that read files. */
  readonly input?: Input;
  /** The name of the artifact's package. Default: `@example/artifact`. */
  readonly package?: string;
  /** Names of operations and schemas, as `names` in plumbline.yaml. */
  readonly names?: Readonly<Record<string, string>>;
  /** The data of other artifacts, by name. */
  readonly artifacts?: Readonly<Record<string, unknown>>;
}

/**
 * Runs a generator as `plumbline generate` would, without plumbline.yaml.
 *
 * @param generator - The generator.
 * @param test - The description, and the options that differ from their defaults.
 * @returns The formatted texts of the files, by path. A JSON file with managed keys is printed with its defaults.
 * @throws DiagnosticsError for an invalid description.
 */
export async function testGenerator<Table extends OptionTable, Input>(
  generator: Generator<Table, Input>,
  { description, config, input, artifacts = {}, names = {}, ...rest }: GeneratorTest<OptionValues<Table>, Input>,
): Promise<Readonly<Record<string, string>>> {
  const api = await buildFixtureApi(description, names);
  const files = await generator.files(api, {
    ...testOptions(rest.package),
    config: { ...defaultsOf(generator.options), ...config } as OptionValues<Table>,
    input: input as Input,
    artifacts,
  });
  return Object.fromEntries(await Promise.all(files.map(printFile)));
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
    document: () => Promise.reject(new Error("Tests of emitters have no document.")),
    artifacts: {},
  };
}

async function printFile(file: GeneratedFile): Promise<readonly [path: string, text: string]> {
  if (!("text" in file))
    return [file.path, `${JSON.stringify({ ...file.defaults, ...file.managedKeys }, undefined, 2)}\n`];
  return [file.path, (await formatFile(file)).text];
}

function defaultsOf(table: OptionTable = {}): Readonly<Record<string, Json | undefined>> {
  return Object.fromEntries(Object.entries(table).map(([key, option]) => [key, option.default] as const));
}
