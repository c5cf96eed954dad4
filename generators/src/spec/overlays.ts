import path from "node:path";
import type { JSONValue } from "json-p3";
import { ProblemError, type Problem } from "../problem.js";
import type { Code } from "./codes.js";
import { EffortError, effortOf, widthOf, type Effort } from "./effort.js";
import { excessOf } from "./excess.js";
import { appended, changedAt, kindOf, merged, originOf, writtenAt, type Graft, type OnClash } from "./graft.js";
import { overlayProblem, readOverlay, type Action, type Overlay } from "./overlay-form.js";
import { pointerOf, type SourceFile } from "./place.js";

/** The overlays of a description. They apply to its files in order, as the files are read. */
export interface Overlays {
  /** The files of the overlays. */
  readonly sources: readonly SourceFile[];
  /** The diagnostics so far. More are added while files are read. */
  readonly problems: readonly Problem[];
  /** Applies the overlays that target a file. The nodes of the result keep their sources. */
  readonly apply: (file: SourceFile) => SourceFile;
  /** Returns diagnostics for overlays whose target is not part of the description. */
  readonly idle: () => readonly Problem[];
}

/**
 * Reads the overlays of a description. All paths are absolute.
 * @throws A ProblemError if one is invalid.
 */
export async function readOverlays(files: readonly string[], root: string): Promise<Overlays> {
  if (files.length === 0) return none;
  const effort = effortOf();
  // Loaded only if there are overlays.
  const { pathCompiler } = await import("./bounded-path.js");
  const compile = pathCompiler(effort);
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
      if (own.length > 0) effort.allow(file.text.length);
      return own.length === 0 ? file : overlaid(file, own, { effort, report: (problem) => problems.push(problem) });
    },
    idle: () => overlays.filter((each) => !used.has(each)).map(idleProblem),
  };
}

const none: Overlays = { sources: [], problems: [], apply: (file) => file, idle: () => [] };

type Report = (problem: Problem) => void;

function overlaid(file: SourceFile, overlays: readonly Overlay[], around: Omit<Acting, "source">): SourceFile {
  let graft: Graft = { value: file.value, written: { file, tokens: [] } };
  for (const { source, actions } of overlays)
    for (const action of actions) graft = actedOrThrow(graft, action, { ...around, source });
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

/** Steps to copy a node with the sources of its children. */
const copying = 4;

interface Acting {
  readonly source: SourceFile;
  readonly report: Report;
  readonly effort: Effort;
}

/**
 * Applies one action.
 * @throws A ProblemError if the steps do not suffice.
 */
function actedOrThrow(graft: Graft, action: Action, acting: Acting): Graft {
  try {
    return acted(graft, action, acting);
  } catch (error) {
    if (!(error instanceof EffortError)) throw error;
    const message = "This action exceeds the step limit of overlays for a description of this size.";
    const fix =
      "Select fewer nodes, or keep adjacent repetitions of a regular expression from matching the same characters.";
    const tokens = ["actions", String(action.index), "target"];
    throw new ProblemError([overlayProblem({ source: acting.source, code: "overlay/effort", tokens, message, fix })]);
  }
}

function acted(graft: Graft, action: Action, { source, report, effort }: Acting): Graft {
  const { target, remove, update } = action;
  const at = ["actions", String(action.index)];
  const tell = (code: Code, key: string, message: string, fix: string): Problem =>
    overlayProblem({ source, code, tokens: [...at, key], message, fix });
  const visit = ({ value }: Graft): void => effort.spend(copying * (1 + widthOf(value)));
  const found = placesOf(action, graft.value);
  if (found.length === 0) {
    const idle = tell(
      "overlay/unmatched",
      "target",
      `${target} matches nothing, so this action does nothing.`,
      "Correct the target.",
    );
    report({ ...idle, severity: "warning" });
    return graft;
  }
  if (remove) {
    if (found.some((keys) => keys.length === 0))
      report(tell("overlay/update", "target", "A whole file cannot be removed.", "Name a part of it."));
    return changedAt(graft, found, { change: () => undefined, visit }) ?? graft;
  }
  const put: Graft = { value: update, written: { file: source, tokens: [...at, "update"] } };
  const onClash: OnClash = (there, { value, written }) => {
    const message = `This is ${kindOf(value)}, and ${kindOf(there.value)} where it is put.`;
    const fix = "Remove that in an action before this one.";
    report(overlayProblem({ source, code: "overlay/update", tokens: written.tokens, message, fix }));
  };
  const updated = (part: Graft): Graft => {
    if (kindOf(part.value) === "a list") return appended(part, put);
    if (kindOf(part.value) === "an object") return merged(part, put, { onClash, visit });
    const fix = "Select the object around it, and update its key.";
    report(tell("overlay/update", "target", `${target} selects a plain value.`, fix));
    return part;
  };
  return changedAt(graft, found, { change: updated, visit }) ?? graft;
}

/** Returns the paths of the nodes that an action targets. */
function placesOf({ query }: Action, value: unknown): readonly (readonly string[])[] {
  return query.query(value as JSONValue).nodes.map((node) => node.location.map(String));
}

function idleProblem({ source, target }: Overlay): Problem {
  const name = path.relative(path.dirname(source.path), target).split(path.sep).join("/");
  const message = `The description does not read ${name}, so nothing of this overlay happens.`;
  const fix = "Name the description, or a file that it refers to, seen from the overlay's folder.";
  return overlayProblem({ source, code: "overlay/extends", tokens: ["extends"], message, fix });
}
