import { format } from "oxfmt";
import type { TextFile } from "./files.js";

/** The file as the formatter writes it. Throws when it cannot be parsed, which is a fault of the generator. */
export async function formatted(file: TextFile): Promise<TextFile> {
  // What is read a line at a time is written a line at a time, whatever its length.
  if (file.path.startsWith("data/")) return file;
  const { code, errors } = await format(file.path, file.text, { printWidth: 120, quoteProps: "preserve" });
  const [first] = errors;
  if (first !== undefined && first.message.startsWith("Unsupported file type")) return file; // such as .txt or .proto
  if (first !== undefined) throw new Error(`${file.path} does not parse: ${first.message}`);
  return { path: file.path, text: code };
}
