import { isUtf8 } from "node:buffer";
import { readFile, readdir, stat } from "node:fs/promises";
import path from "node:path";
import {
  CORE_SCHEMA,
  YAMLException,
  binaryTag,
  constructFromEvents,
  mergeTag,
  omapTag,
  pairsTag,
  setTag,
} from "js-yaml";
import { DiagnosticsError, type SourceLocation, type Diagnostic } from "../../model/index.js";
import { hasEveryKey } from "./json-text.js";
import { createLocator, lineStarts, positionOf } from "./locate.js";
import { providedBytes } from "./provided-files.js";
import { maxFileBytes, recordFolder, recordRead, parseCached } from "./recorded-inputs.js";
import { findSizeViolation, tooDeep, type SizeViolation } from "./size-limits.js";
import { formatPointer, type SourceFile } from "./spec-node.js";
import { convertSwagger } from "./swagger/convert-swagger.js";
import { parseYamlEvents, type YamlEvents } from "./yaml-events.js";

/**
 * Reads a YAML or JSON file.
 * @throws A DiagnosticsError with the location if the file is invalid or too large.
 */
export async function readSource(file: string, folder: string): Promise<SourceFile> {
  const text = await readTextFile(file);
  return convertSwagger(parseCached(`${folder}\n${file}`, text, () => parse(text, file, folder)));
}

function parse(text: string, file: string, folder: string): SourceFile {
  const name = path.relative(folder, file).split(path.sep).join("/");
  const json = parseJson(text);
  const language = json === undefined ? "yaml" : "json";
  const locate = createLocator(text, language);
  const { value, warnings } = json === undefined ? parseYaml(text, name) : { value: json };
  const excess = findSizeViolation(value, language);
  if (excess !== undefined)
    throw new DiagnosticsError([sizeDiagnostic(excess, { file: name, ...locate(excess.tokens) })]);
  return { path: file, name, text, value, locate, warnings };
}

/** Returns the sorted file names of a folder. Empty if the folder does not exist. */
export async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  const names = entries
    ?.filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();
  recordFolder(folder, names);
  return names ?? [];
}

/**
 * Reads a text file.
 * @throws An Error if it is not a regular file (which might never end), too large, or not UTF-8.
 */
export async function readTextFile(file: string): Promise<string> {
  return decode(await readBytes(file), { ignoreBOM: false });
}

/**
 * Reads a text file, with a byte order mark if it has one. Returns undefined where there is none, which is recorded as an input, too.
 * @throws An Error as `readTextFile` does.
 */
export async function readTextIfExists(file: string): Promise<string | undefined> {
  const bytes = await readBytes(file).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return undefined;
    throw error;
  });
  return bytes && decode(bytes, { ignoreBOM: true });
}

async function readBytes(file: string): Promise<Uint8Array> {
  return recordRead(file, async () => {
    const provided = providedBytes(file);
    if (provided !== undefined && provided.length <= maxFileBytes) return provided;
    if (provided !== undefined) throw new Error(`it has more than ${maxFileBytes / 2 ** 20} MB`);
    const status = await stat(file);
    if (!status.isFile()) throw new Error(status.isDirectory() ? "it is a folder" : "it is not a regular file");
    if (status.size > maxFileBytes) throw new Error(`it has more than ${maxFileBytes / 2 ** 20} MB`);
    return readFile(file);
  });
}

/** `ignoreBOM` keeps a byte order mark in the text. A fatal `TextDecoder` takes several times as long. */
function decode(bytes: Uint8Array, { ignoreBOM }: { readonly ignoreBOM: boolean }): string {
  if (!isUtf8(bytes)) throw new Error("it is not UTF-8 text");
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return !ignoreBOM && text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** True for URLs and absolute paths. */
export function isNotRelative(reference: string): boolean {
  return /^([a-z][a-z0-9+.-]*:|[/\\])/i.test(reference);
}

/** Parses JSON. Returns `undefined` for invalid JSON and duplicate keys, which the YAML parser reports better. */
function parseJson(text: string): unknown {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return hasEveryKey(text, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** YAML 1.2, with the tags of 1.1 that are in common use. Dates stay strings. */
const schema = CORE_SCHEMA.withTags(mergeTag, binaryTag, omapTag, pairsTag, setTag);

function parseYaml(text: string, name: string): Pick<SourceFile, "value" | "warnings"> {
  try {
    const events = parseYamlEvents(text);
    const documents = constructFromEvents(events.events, { source: events.source, schema });
    if (documents.length > 1) throw new YAMLException("expected a single document in the stream, but found more");
    return { value: documents[0], warnings: describeStrictness(events, { text, name }) };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const [, at = "1", column = "1"] = /\((\d+):(\d+)\)/.exec(error.message) ?? [];
    const place = { file: name, line: Number(at), column: Number(column) };
    const reason = error.message.split("\n")[0]?.replace(/ \(\d+:\d+\)$/, "");
    // The parser has the same limit for nesting in a text as we have for aliases.
    if (/nesting exceeded/.test(error.message)) throw new DiagnosticsError([sizeDiagnostic(tooDeep([]), place)]);
    const message = `This is not valid YAML or JSON: ${reason}.`;
    throw new DiagnosticsError([
      { code: "description/syntax", severity: "error", origin: { ...place, pointer: "" }, message },
    ]);
  }
}

/** Says what other parsers may reject: one warning of each kind, at its first place. */
function describeStrictness(
  { outdented, attached }: YamlEvents,
  { text, name }: { readonly text: string; readonly name: string },
): readonly Diagnostic[] {
  const kinds = [
    {
      offsets: outdented,
      message: "YAML 1.2 requires more indentation of this line, which is within brackets or quotes.",
      fix: "Indent it more than the key before the brackets or quotes.",
    },
    {
      offsets: attached,
      message: "YAML 1.2 requires a blank before this comment.",
      fix: "Write a blank before the #.",
    },
  ];
  const starts = outdented.length + attached.length > 0 ? lineStarts(text) : [];
  return kinds.flatMap(({ offsets, message, fix }) => {
    const [first] = offsets;
    if (first === undefined) return [];
    const more = offsets.length === 1 ? "" : ` It is the first of ${offsets.length}.`;
    const origin = { file: name, pointer: "", ...positionOf(first, starts) };
    return { code: "description/yaml", severity: "warning", origin, message: message + more, fix } satisfies Diagnostic;
  });
}

function sizeDiagnostic(
  { code, message, fix, tokens }: SizeViolation,
  place: Omit<SourceLocation, "pointer">,
): Diagnostic {
  return { code, severity: "error", origin: { ...place, pointer: formatPointer(tokens) }, message, fix };
}
