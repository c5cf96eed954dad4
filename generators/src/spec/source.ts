import { readFile } from "node:fs/promises";
import path from "node:path";
import { CORE_SCHEMA, YAMLException, binaryTag, loadAll, mergeTag, omapTag, pairsTag, setTag } from "js-yaml";
import { ProblemError, type Problem } from "../problem.js";
import { hasEveryKey } from "./json-text.js";
import { locator } from "./locate.js";
import { pointerOf, type SourceFile } from "./place.js";

/** Reads one YAML or JSON file. Throws a ProblemError for a syntax error, with its place. */
export async function readSource(file: string, folder: string): Promise<SourceFile> {
  const text = await readFile(file, "utf8");
  const name = path.relative(folder, file).split(path.sep).join("/");
  const json = parseJson(text);
  if (json !== undefined) return { path: file, name, text, value: json, locate: locator(text, "json") };
  return { path: file, name, text, value: parse(text, name), locate: locator(text, "yaml") };
}

function parse(text: string, name: string): unknown {
  try {
    const value = parseYaml(text);
    const holder = holderOfItself(value);
    if (holder === undefined) return value;
    const origin = { file: name, pointer: pointerOf(holder), ...locator(text, "yaml")(holder) };
    const message = "This contains itself through a YAML alias.";
    throw new ProblemError([
      { code: "description/syntax", severity: "error", origin, message, fix: "Use a $ref instead." },
    ]);
  } catch (error) {
    if (error instanceof YAMLException) throw new ProblemError([syntaxProblem(error, name)]);
    throw error;
  }
}

/** The value of a JSON text; undefined when it is none, or says a key twice, which the parser of YAML tells better. */
function parseJson(text: string): unknown {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return hasEveryKey(text, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** YAML 1.2, and what people took from 1.1; dates stay the text that they are. */
const schema = CORE_SCHEMA.withTags(mergeTag, binaryTag, omapTag, pairsTag, setTag);

function parseYaml(text: string): unknown {
  const documents = loadAll(text, { schema });
  if (documents.length > 1) throw new YAMLException("expected a single document in the stream, but found more");
  return documents[0];
}

function syntaxProblem(error: YAMLException, name: string): Problem {
  const [, line = "1", column = "1"] = /\((\d+):(\d+)\)/.exec(error.message) ?? [];
  const said = error.message.split("\n")[0]?.replace(/ \(\d+:\d+\)$/, "");
  const origin = { file: name, pointer: "", line: Number(line), column: Number(column) };
  const message = `This is not valid YAML or JSON: ${said}.`;
  return { code: "description/syntax", severity: "error", origin, message };
}

/** Where an alias stands that leads to a node around it, which would never end; undefined when there is none. */
function holderOfItself(root: unknown): readonly string[] | undefined {
  const around = new Set<unknown>();
  const finished = new Set<unknown>();
  const search = (node: unknown, tokens: readonly string[]): readonly string[] | undefined => {
    if (typeof node !== "object" || node === null || finished.has(node)) return undefined;
    if (around.has(node)) return tokens;
    around.add(node);
    for (const [key, child] of Object.entries(node)) {
      const found = search(child, [...tokens, key]);
      if (found !== undefined) return found;
    }
    around.delete(node);
    finished.add(node);
    return undefined;
  };
  return search(root, []);
}
