import { format } from "oxfmt";
import type { TextFile } from "./files.js";

/** Formats a file. Throws when it does not parse, which is an error of the generator. */
export async function formatFile(file: TextFile): Promise<TextFile> {
  // Data files have one record per line, whatever its length.
  if (file.path.startsWith("data/") || file.isVerbatim === true) return file;
  const { code, errors } = await format(file.path, file.text, { printWidth: 120, quoteProps: "preserve" });
  const [first] = errors;
  if (first !== undefined && first.message.startsWith("Unsupported file type")) return file; // such as .txt or .proto
  if (first !== undefined) throw new Error(`${file.path} does not parse: ${first.message}`);
  return { path: file.path, text: code };
}
