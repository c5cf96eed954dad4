import { type TextFile, formatFile, type GeneratorOptions } from "@plumbline/kit/codegen";
import { testOptions } from "@plumbline/kit/codegen/testing";
import { DiagnosticsError } from "@plumbline/kit/model";

/** The options that tests pass to emitters. */
export const artifact: GeneratorOptions = testOptions("@pets/server");

/** Returns the formatted text of the only file, without its banner. */
export async function textOfFile(files: readonly TextFile[]): Promise<string> {
  const [file, ...others] = files;
  if (file === undefined || others.length > 0) throw new Error(`there are ${files.length} files`);
  const { text } = await formatFile(file);
  return text.replace(/^(\/\/[^\n]*\n|\/\*[^]*?\*\/\n)+/, "").trim();
}

/** Returns the same text without its imports. */
export async function statementsOf(files: readonly TextFile[]): Promise<string> {
  return (await textOfFile(files)).replace(/^(import [^;]*;\n)+/, "").trim();
}

/** Returns the diagnostics of the generator for a description, each as `code message`. */
export function emittedDiagnostics(emit: () => unknown): readonly string[] {
  try {
    emit();
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error;
    return error.diagnostics.map(({ code, message }) => `${code} ${message}`);
  }
  return [];
}
