import type { TextFile } from "../emit/files.js";
import { formatted } from "../emit/format.js";
import type { ArtifactOptions } from "../generator.js";
import { ProblemError } from "../problem.js";

/** What emitters are told in tests. */
export const artifact: ArtifactOptions = {
  package: "@pets/server",
  private: false,
  source: (origin) => `spec/${origin.file}#${origin.pointer}`,
  locate: (origin) => ({ ...origin, line: 1, column: 1 }),
};

/** The formatted text of the one file that is made, without its banner. */
export async function textOfFile(files: readonly TextFile[]): Promise<string> {
  const [file, ...others] = files;
  if (file === undefined || others.length > 0) throw new Error(`there are ${files.length} files`);
  const { text } = await formatted(file);
  return text.replace(/^(\/\/[^\n]*\n|\/\*[^]*?\*\/\n)+/, "").trim();
}

/** The same without its imports. */
export async function statementsOf(files: readonly TextFile[]): Promise<string> {
  return (await textOfFile(files)).replace(/^(import [^;]*;\n)+/, "").trim();
}

/** What the artifact has against a description, each problem as `code message`. */
export function refusalOf(emit: () => unknown): readonly string[] {
  try {
    emit();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return error.problems.map(({ code, message }) => `${code} ${message}`);
  }
  return [];
}
