import path from "node:path";
import type { JSONValue } from "json-p3";
import { DiagnosticsError, type Diagnostic } from "../../model/index.js";
import type { DiagnosticCode } from "../lint/codes.js";
import { createOperationDefaults } from "../read/operation-defaults.js";
import { findSizeViolation } from "../read/size-limits.js";
import { formatPointer, type SourceFile } from "../read/spec-node.js";
import { overlayDiagnostic, readOverlay, type OverlayAction, type Overlay } from "./overlay-document.js";
import {
  appendTraced,
  updateTracedAt,
  valueKind,
  mergeTraced,
  traceOrigin,
  traceAt,
  type TracedValue,
  type OnKindMismatch,
} from "./overlay-merge.js";
import { StepBudgetExceededError, createStepBudget, countChildren, type StepBudget } from "./step-budget.js";

/** The overlays of a description, and the defaults of its operations. They apply to its files in order, as the files are read. */
export interface Overlays {
  /** The files of the overlays. */
  readonly sources: readonly SourceFile[];
  /** The diagnostics so far. More are added while files are read. */
  readonly diagnostics: readonly Diagnostic[];
  /** Applies the overlays that target a file, then the root's `x-defaults`. The root has to be the first file. The nodes of the result keep their sources. */
  readonly apply: (file: SourceFile) => SourceFile;
  /** Returns diagnostics for overlays whose target is not part of the description. */
  readonly findUnused: () => readonly Diagnostic[];
}

/**
 * Reads the overlays of a description. All paths are absolute.
 * @throws A DiagnosticsError if one is invalid.
 */
export async function readOverlays(files: readonly string[], root: string): Promise<Overlays> {
  const defaults = createOperationDefaults(root);
  if (files.length === 0) return { sources: [], diagnostics: [], apply: defaults.apply, findUnused: () => [] };
  const effort = createStepBudget();
  // Loaded only if there are overlays.
  const { pathCompiler } = await import("./bounded-path.js");
  const compile = pathCompiler(effort);
  const diagnostics: Diagnostic[] = [];
  const overlays: Overlay[] = [];
  for (const file of files) {
    await readOverlay({ file, root, compile }).then(
      (overlay) => overlays.push(overlay),
      (error: unknown) => {
        if (!(error instanceof DiagnosticsError)) throw error;
        diagnostics.push(...error.diagnostics);
      },
    );
  }
  if (diagnostics.length > 0) throw new DiagnosticsError(diagnostics);
  const used = new Set<Overlay>();
  return {
    sources: overlays.map((each) => each.source),
    diagnostics,
    apply: (file) => {
      const overlaysOfFile = overlays.filter((each) => each.target === file.path);
      for (const each of overlaysOfFile) used.add(each);
      if (overlaysOfFile.length > 0) effort.grow(file.text.length);
      const report: ReportDiagnostic = (diagnostic) => diagnostics.push(diagnostic);
      return defaults.apply(
        overlaysOfFile.length === 0 ? file : applyOverlays(file, overlaysOfFile, { budget: effort, report }),
      );
    },
    findUnused: () => overlays.filter((each) => !used.has(each)).map(unusedOverlay),
  };
}

type ReportDiagnostic = (diagnostic: Diagnostic) => void;

function applyOverlays(
  file: SourceFile,
  overlays: readonly Overlay[],
  context: Omit<ActionContext, "source">,
): SourceFile {
  let graft: TracedValue = { value: file.value, source: { file, tokens: [] } };
  for (const { source, actions } of overlays)
    for (const action of actions) graft = applyActionOrThrow(graft, action, { ...context, source });
  const { value, source: written } = graft;
  const locate: SourceFile["locate"] = (tokens) => {
    const at = traceAt(written, tokens);
    return { ...traceOrigin(at), ...at.file.locate(at.tokens) };
  };
  const excess = findSizeViolation(value, "yaml");
  if (excess !== undefined) {
    const { code, tokens, message, fix } = excess;
    const origin = { file: file.name, pointer: formatPointer(tokens), ...locate(tokens) };
    throw new DiagnosticsError([{ code, severity: "error", origin, message, fix }]);
  }
  const by = overlays.map((each) => each.source.path);
  return { ...file, value, locate, overlays: { by, sourceOf: (tokens) => traceOrigin(traceAt(written, tokens)) } };
}

/** Steps to copy a node with the sources of its children. */
const stepsPerCopy = 4;

interface ActionContext {
  readonly source: SourceFile;
  readonly report: ReportDiagnostic;
  readonly budget: StepBudget;
}

/**
 * Applies one action.
 * @throws A DiagnosticsError if the steps do not suffice.
 */
function applyActionOrThrow(graft: TracedValue, action: OverlayAction, acting: ActionContext): TracedValue {
  try {
    return applyAction(graft, action, acting);
  } catch (error) {
    if (!(error instanceof StepBudgetExceededError)) throw error;
    const message = "This action exceeds the step limit of overlays for a description of this size.";
    const fix =
      "Select fewer nodes, or keep adjacent repetitions of a regular expression from matching the same characters.";
    const tokens = ["actions", String(action.index), "target"];
    throw new DiagnosticsError([
      overlayDiagnostic({ source: acting.source, code: "overlay/too-many-steps", tokens, message, fix }),
    ]);
  }
}

function applyAction(
  graft: TracedValue,
  action: OverlayAction,
  { source, report, budget }: ActionContext,
): TracedValue {
  const { target, remove, update } = action;
  const at = ["actions", String(action.index)];
  const createDiagnostic = (code: DiagnosticCode, key: string, message: string, fix: string): Diagnostic =>
    overlayDiagnostic({ source, code, tokens: [...at, key], message, fix });
  const visit = ({ value }: TracedValue): void => budget.spend(stepsPerCopy * (1 + countChildren(value)));
  const locations = selectLocations(action, graft.value);
  if (locations.length === 0) {
    const idle = createDiagnostic(
      "overlay/unmatched",
      "target",
      `${target} matches nothing, so this action does nothing.`,
      "Correct the target.",
    );
    report({ ...idle, severity: "warning" });
    return graft;
  }
  if (remove) {
    if (locations.some((keys) => keys.length === 0))
      report(createDiagnostic("overlay/update", "target", "A whole file cannot be removed.", "Name a part of it."));
    return updateTracedAt(graft, locations, { change: () => undefined, visit }) ?? graft;
  }
  const put: TracedValue = { value: update, source: { file: source, tokens: [...at, "update"] } };
  const onClash: OnKindMismatch = (there, { value, source: written }) => {
    const message = `This is ${valueKind(value)}, and ${valueKind(there.value)} where it is put.`;
    const fix = "Remove that in an action before this one.";
    report(overlayDiagnostic({ source, code: "overlay/update", tokens: written.tokens, message, fix }));
  };
  const updated = (part: TracedValue): TracedValue => {
    if (valueKind(part.value) === "a list") return appendTraced(part, put);
    if (valueKind(part.value) === "an object") return mergeTraced(part, put, { onClash, visit });
    const fix = "Select the object around it, and update its key.";
    report(createDiagnostic("overlay/update", "target", `${target} selects a plain value.`, fix));
    return part;
  };
  return updateTracedAt(graft, locations, { change: updated, visit }) ?? graft;
}

/** Returns the paths of the nodes that an action targets. */
function selectLocations({ query }: OverlayAction, value: unknown): readonly (readonly string[])[] {
  return query.query(value as JSONValue).nodes.map((node) => node.location.map(String));
}

function unusedOverlay({ source, target }: Overlay): Diagnostic {
  const name = path.relative(path.dirname(source.path), target).split(path.sep).join("/");
  const message = `The description does not read ${name}, so nothing of this overlay happens.`;
  const fix = "Name the description, or a file that it refers to, seen from the overlay's folder.";
  return overlayDiagnostic({ source, code: "overlay/extends", tokens: ["extends"], message, fix });
}
