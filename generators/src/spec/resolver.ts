import { readFile, stat } from "node:fs/promises";
import { BaseResolver, ResolveError, Source, type Document, type YamlParseError } from "@redocly/openapi-core";
import type { Problem } from "../problem.js";
import { excessOf, tooDeep, type Excess } from "./excess.js";
import { locator, type Position } from "./locate.js";
import { pointerOf } from "./place.js";

/** Bytes. The largest published descriptions have half of it. */
const largest: number = 64 * 2 ** 20;

/**
 * Opens the files of a description, for us and for Redocly: YAML and JSON in regular files of this machine, of a size that can be worked
 * with. A reference is a relative path: nothing is fetched, and no device or pipe is opened, which might never end.
 */
export class FileResolver extends BaseResolver {
  override resolveExternalRef(base: string | null, reference: string): string {
    const isOdd = base !== null && isElsewhere(reference);
    return isOdd ? `${elsewhere}${reference}` : super.resolveExternalRef(base, reference);
  }

  override async resolveDocument<T = unknown>(
    base: string | null,
    reference: string,
    isRoot = false,
  ): Promise<Document<T> | ResolveError | YamlParseError> {
    const file = this.resolveExternalRef(base, reference);
    if (file.startsWith(elsewhere)) throw refused("it is no relative path; save what it names beside the description");
    if (!isRoot && !isYamlOrJson(file)) throw refused("only .yaml, .yml and .json files are read");
    return super.resolveDocument<T>(base, reference, isRoot);
  }

  override async loadExternalRef(file: string): Promise<Source> {
    const text = await readText(file).catch((error: unknown) => {
      throw refused(error instanceof Error ? error.message : String(error));
    });
    return new Source(file, text.replaceAll("\r\n", "\n"));
  }

  override parseDocument(source: Source, isRoot = false): Document {
    const document = parsedBy(() => super.parseDocument(source, isRoot));
    const excess = excessOf(document.parsed);
    if (excess !== undefined) throw new ExcessError(excess, locator(source.body)(excess.tokens));
    return document;
  }
}

/** Thrown for a file that can be read but not be worked with. */
export class ExcessError extends Error {
  readonly excess: Excess;
  readonly position: Position;
  constructor(excess: Excess, position: Position) {
    super(excess.message);
    this.name = "ExcessError";
    this.excess = excess;
    this.position = position;
  }

  problemIn(file: string): Problem {
    const { code, message, fix, tokens } = this.excess;
    return { code, severity: "error", origin: { file, pointer: pointerOf(tokens), ...this.position }, message, fix };
  }
}

/** The text of a file. Throws for what is no regular file, is too large, or is not UTF-8. */
export async function readText(file: string): Promise<string> {
  const status = await stat(file);
  if (!status.isFile()) throw new Error(status.isDirectory() ? "it is a folder" : "it is no regular file");
  if (status.size > largest) throw new Error(`it has more than ${largest / 2 ** 20} MB`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(file));
  } catch (error) {
    throw error instanceof TypeError ? new Error("it is not UTF-8 text", { cause: error }) : error;
  }
}

/** True for addresses, and for paths that mean something on one machine only. */
export function isElsewhere(reference: string): boolean {
  return /^([a-z][a-z0-9+.-]*:|[/\\])/i.test(reference);
}

export function isYamlOrJson(file: string): boolean {
  return /\.(ya?ml|json)$/.test(file);
}

/** What Redocly takes for an address, so that the reference is told apart from a path when it is to be opened. */
const elsewhere = "file://";

function refused(reason: string): ResolveError {
  return new ResolveError(new Error(reason));
}

/** The YAML parser has the same limit for what is written, and says so in words of its own. */
function parsedBy(parse: () => Document): Document {
  try {
    return parse();
  } catch (error) {
    const said = error instanceof Error ? error.message : "";
    const [, line, column] = /nesting exceeded .* \((\d+):(\d+)\)$/.exec(said) ?? [];
    if (line === undefined) throw error;
    throw new ExcessError(tooDeep([]), { line: Number(line), column: Number(column) });
  }
}
