import type { Difference } from "@plumbline/kit/diff";
import type { Api } from "@plumbline/kit/model";
import type { ts } from "ts-morph";
import { applyEdits, type TextEdit } from "../handlers/syntax/text-edits.js";
import { findConcernedUses, type ConcernedUse, type ImpactInput } from "../impact/find-impact.js";
import type { Target } from "../impact/targets.js";
import { editsOfUse } from "./edits-of-use.js";
import { findInputMoves, type InputMove } from "./input-moves.js";
import { moveInputs } from "./move-inputs.js";
import { ObjectChanges } from "./object-changes.js";
import { withoutPairedAdditions } from "./paired-differences.js";

/** A step of a migration, at a place in code. */
export interface MigrationStep {
  /** The absolute path. */
  readonly file: string;
  /** Counted from 1, before the migration. */
  readonly line: number;
  readonly difference: Difference;
}

/** A file with changes. */
export interface MigratedFile {
  /** The absolute path. */
  readonly file: string;
  readonly original: string;
  readonly text: string;
}

/** How to bring code into step with a new version of an API. */
export interface CodeMigration {
  readonly files: readonly MigratedFile[];
  readonly done: readonly MigrationStep[];
  /** What a person has to decide. Where something is required, the code has a marker that does not compile. */
  readonly toDecide: readonly MigrationStep[];
  /** What depends on values that only a running program knows. */
  readonly toCheck: readonly MigrationStep[];
  /** Absolute paths of files that do not parse. They stay as they are. */
  readonly unreadable: readonly string[];
}

/**
 * Computes the changes that bring code from one version of an API to the next. It writes nothing.
 *
 * Names that have changed are replaced: operations, types, properties, parameters, paths and values. Values that have moved to another group of
 * a request move there. What is newly required gets a marker that does not compile. Everything else stays as it is, byte for byte.
 */
export function migrateCode(input: ImpactInput<Difference>): CodeMigration {
  const moves = findInputMoves(input.old, input.next, input.differences);
  const differences = withoutPairedAdditions(input.differences);
  const uses = findConcernedUses({ ...input, differences }, moves.map(targetOfMove));
  const byFile = new Map<ConcernedUse["file"], ConcernedUse[]>();
  for (const use of uses) byFile.set(use.file, [...(byFile.get(use.file) ?? []), use]);
  const unreadable = [...byFile.keys()].filter(hasSyntaxErrors);
  const migrated = [...byFile]
    .filter(([file]) => !unreadable.includes(file))
    .map(([file, own]) => migrateFile(file, own, { moves, next: input.next }));
  const stepsOf = (kind: StepKind): readonly MigrationStep[] =>
    migrated.flatMap(({ steps }) => [...steps[kind].values()]);
  return {
    files: migrated.flatMap(({ file, text }) =>
      text === file.text ? [] : [{ file: file.fileName, original: file.text, text }],
    ),
    done: stepsOf("done"),
    toDecide: stepsOf("toDecide"),
    toCheck: stepsOf("toCheck"),
    unreadable: unreadable.map(({ fileName }) => fileName),
  };
}

/** All calls of an operation with a value that has moved. */
function targetOfMove({ operation, removal }: InputMove): Target {
  return {
    difference: removal,
    part: { kind: "operation", owner: operation.name, path: [] },
    check: (use) => (use.kind === "call" && use.call !== undefined ? "certain" : undefined),
  };
}

type StepKind = "done" | "toDecide" | "toCheck";

interface FileMigration {
  readonly file: ts.SourceFile;
  readonly text: string;
  readonly steps: Readonly<Record<StepKind, ReadonlyMap<string, MigrationStep>>>;
}

function migrateFile(
  file: ts.SourceFile,
  uses: readonly ConcernedUse[],
  { moves, next }: { readonly moves: readonly InputMove[]; readonly next: Api },
): FileMigration {
  const changes = new ObjectChanges(file);
  const edits: TextEdit[] = [];
  const steps = { done: new Map(), toDecide: new Map(), toCheck: new Map() } satisfies Record<
    StepKind,
    Map<string, MigrationStep>
  >;
  const record = (kind: StepKind, { difference, use }: ConcernedUse): void => {
    const { line } = file.getLineAndCharacterOfPosition(use.node.getStart(file));
    const key = `${line} ${difference.code} ${difference.message}`;
    steps[kind].set(key, { file: file.fileName, line: line + 1, difference });
  };
  const moved = moveInputs(uses, moves, changes);
  for (const each of uses) {
    if (moved.isMovedBy(each)) record("done", each);
    if (moved.isOpen(each)) record("toDecide", each);
    if (moved.covers(each)) continue;
    const useEdits = each.certainty === "certain" ? editsOfUse({ ...each, next, changes }) : undefined;
    if (useEdits === undefined) record(each.certainty === "certain" ? "toDecide" : "toCheck", each);
    else record(useEdits.isOpen ? "toDecide" : "done", each);
    edits.push(...(useEdits?.edits ?? []));
  }
  return { file, text: applyEdits(file.text, withoutOverlaps(changes.combineWith(withoutOverlaps(edits)))), steps };
}

/** The edits without repeated ones, and of those that overlap the first. Several differences may be about the same name. */
function withoutOverlaps(edits: readonly TextEdit[]): readonly TextEdit[] {
  const applicable: TextEdit[] = [];
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = applicable.at(-1);
    const isSame = last !== undefined && last.start === edit.start && last.end === edit.end;
    const isRepeated = isSame && (last.text === edit.text || edit.end > edit.start);
    if (last === undefined || (edit.start >= last.end && !isRepeated)) applicable.push(edit);
  }
  return applicable;
}

/** Whether a file has syntax errors, or the markers of a merge conflict. */
export function hasSyntaxErrors(file: ConcernedUse["file"]): boolean {
  // Not in the types of the compiler: the errors that its parser has found in this file.
  const { parseDiagnostics = [] } = file as unknown as { readonly parseDiagnostics?: readonly unknown[] };
  return parseDiagnostics.length > 0 || /^(<{7}|>{7}) /m.test(file.text);
}
