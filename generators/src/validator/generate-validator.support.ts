import { type TextFile, formatFile } from "@plumbline/kit/codegen";
import { testOptions } from "@plumbline/kit/codegen/testing";
import { buildFixtureApi, type FixtureFiles } from "@plumbline/kit/openapi/testing";
import validatorGenerator from "./index.js";

type Parts = Parameters<typeof validatorGenerator.files>[1]["config"];

const noParts: Parts = { schemas: false, ajv: false, standard: false, formats: [], dates: "string" };

/** Generates the validator of a description. Returns the formatted source files by their paths, without data files. */
export async function generateValidator(
  texts: FixtureFiles,
  parts: Partial<Parts> = {},
  keywords: readonly string[] = [],
): Promise<Readonly<Record<string, string>>> {
  const artifact = { ...testOptions("@pets/validator"), config: { ...noParts, ...parts } };
  const files = (await validatorGenerator.files(await buildFixtureApi(texts, {}, keywords), artifact)).filter(
    (file): file is TextFile => "text" in file,
  );
  const done = await Promise.all(files.map(async (file) => (file.path.endsWith(".ts") ? formatFile(file) : file)));
  return Object.fromEntries(done.map((file) => [file.path, file.text] as const));
}

/** Returns the statement of a file that starts with these words. */
export function statement(files: Readonly<Record<string, string>>, name: string, words: string): string {
  const statements = (files[`src/gen/${name}`] ?? `there is no ${name}`).split(/\n\n(?=\S)/);
  return (
    statements.find((each) => each.replace(/^\/\*\*[^]*?\*\/\n/, "").startsWith(words))?.trimEnd() ?? "there is none"
  );
}
