import path from "node:path";
import type { JSONPathQuery, JSONValue } from "json-p3";
import { ProblemError, type Problem } from "../problem.js";
import type { Code } from "./codes.js";
import { excessOf } from "./excess.js";
import { appended, changedAt, kindOf, merged, originOf, writtenAt, type Graft, type OnClash } from "./graft.js";
import { overlayProblem, readOverlay, type Action, type Overlay } from "./overlay-form.js";
import { pointerOf, type SourceFile } from "./place.js";

/** The overlays of a description: they change its files as these are read, one after the other. */
export interface Overlays {
  /** Their own files. */
  readonly sources: readonly SourceFile[];
  /** What was found wrong so far; grows while files are read. */
  readonly problems: readonly Problem[];
  /** The file as it is with those overlays that change it; its nodes know where they are written. */
  readonly apply: (file: SourceFile) => SourceFile;
  /** What is wrong with those that change none of the files that were read. */
  readonly idle: () => readonly Problem[];
}

/** Reads the overlays of a description, absolute paths both. Throws a ProblemError for those that are none. */
export async function readOverlays(files: readonly string[], root: string): Promise<Overlays> {
  if (files.length === 0) return none;
  const compile = await compiler();
  const problems: Problem[] = [];
  const overlays: Overlay[] = [];
  for (const file of files) {
    await readOverlay({ file, root, compile }).then(
      (overlay) => overlays.push(overlay),
      (error: unknown) => {
        if (!(error instanceof ProblemError)) throw error;
        problems.push(...error.problems);
      },
    );
  }
  if (problems.length > 0) throw new ProblemError(problems);
  const used = new Set<Overlay>();
  return {
    sources: overlays.map((each) => each.source),
    problems,
    apply: (file) => {
      const own = overlays.filter((each) => each.target === file.path);
      for (const each of own) used.add(each);
      return own.length === 0 ? file : overlaid(file, own, (problem) => problems.push(problem));
    },
    idle: () => overlays.filter((each) => !used.has(each)).map(idleProblem),
  };
}

const none: Overlays = { sources: [], problems: [], apply: (file) => file, idle: () => [] };

/** Loaded for those who have overlays. Depth is no reason to stop: what is read is nested a hundred levels deep at most. */
async function compiler(): Promise<(query: string) => JSONPathQuery> {
  const { JSONPathEnvironment } = await import("json-p3");
  const environment = new JSONPathEnvironment({ maxRecursionDepth: Number.POSITIVE_INFINITY });
  return (query) => environment.compile(query);
}

type Report = (problem: Problem) => void;

function overlaid(file: SourceFile, overlays: readonly Overlay[], report: Report): SourceFile {
  let graft: Graft = { value: file.value, written: { file, tokens: [] } };
  for (const { source, actions } of overlays)
    for (const action of actions) graft = acted(graft, action, { source, report });
  const { value, written } = graft;
  const locate: SourceFile["locate"] = (tokens) => {
    const at = writtenAt(written, tokens);
    return { ...originOf(at), ...at.file.locate(at.tokens) };
  };
  const excess = excessOf(value, "yaml");
  if (excess !== undefined) {
    const { code, tokens, message, fix } = excess;
    const origin = { file: file.name, pointer: pointerOf(tokens), ...locate(tokens) };
    throw new ProblemError([{ code, severity: "error", origin, message, fix }]);
  }
  const by = overlays.map((each) => each.source.path);
  return { ...file, value, locate, overlaid: { by, written: (tokens) => originOf(writtenAt(written, tokens)) } };
}

interface Acting {
  readonly source: SourceFile;
  readonly report: Report;
}

/** A value after one action. */
function acted(graft: Graft, action: Action, { source, report }: Acting): Graft {
  const { target, remove, update } = action;
  const at = ["actions", String(action.index)];
  const tell = (code: Code, key: string, message: string, fix: string): Problem =>
    overlayProblem({ source, code, tokens: [...at, key], message, fix });
  const found = placesOf(action, graft.value);
  if (found.length === 0) {
    const idle = tell(
      "overlay/unmatched",
      "target",
      `${target} is nowhere: this action does nothing.`,
      "Mend the target.",
    );
    report({ ...idle, severity: "warning" });
    return graft;
  }
  if (remove) {
    if (found.some((keys) => keys.length === 0))
      report(tell("overlay/update", "target", "A whole file cannot be removed.", "Name a part of it."));
    return changedAt(graft, found, () => undefined) ?? graft;
  }
  const put: Graft = { value: update, written: { file: source, tokens: [...at, "update"] } };
  const onClash: OnClash = (there, { value, written }) => {
    const message = `This is ${kindOf(value)}, and ${kindOf(there.value)} where it is put.`;
    const fix = "Remove that in an action before this one.";
    report(overlayProblem({ source, code: "overlay/update", tokens: written.tokens, message, fix }));
  };
  const updated = (part: Graft): Graft => {
    if (kindOf(part.value) === "a list") return appended(part, put);
    if (kindOf(part.value) === "an object") return merged(part, put, onClash);
    const fix = "Select the object around it, and update its key.";
    report(tell("overlay/update", "target", `${target} selects a plain value.`, fix));
    return part;
  };
  return changedAt(graft, found, updated) ?? graft;
}

/** The keys that lead to each place that an action is for. */
function placesOf({ query }: Action, value: unknown): readonly (readonly string[])[] {
  return query.query(value as JSONValue).nodes.map((node) => node.location.map(String));
}

function idleProblem({ source, target }: Overlay): Problem {
  const name = path.relative(path.dirname(source.path), target).split(path.sep).join("/");
  const message = `The description does not read ${name}, so nothing of this overlay happens.`;
  const fix = "Name the description, or a file that it refers to, seen from the overlay's folder.";
  return overlayProblem({ source, code: "overlay/extends", tokens: ["extends"], message, fix });
}
