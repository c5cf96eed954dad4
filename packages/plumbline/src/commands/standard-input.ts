import path from "node:path";
import { maxFileBytes, provideFile } from "@plumbline/kit/openapi/files";

/** Its name in diagnostics, in the current folder: references are relative to that. */
const standardInputName = "stdin";

/**
 * Reads a description from standard input, so that it can be read like a file.
 *
 * @returns The name of the file. Its content ends one byte after the size limit of files, whose reader reports that.
 */
export async function readStandardInput(input: NodeJS.ReadableStream, folder: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    size += bytes.length;
    if (size > maxFileBytes) break;
  }
  provideFile(path.resolve(folder, standardInputName), Buffer.concat(chunks).subarray(0, maxFileBytes + 1));
  return standardInputName;
}
