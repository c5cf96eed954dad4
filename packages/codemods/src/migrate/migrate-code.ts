import type { Difference } from "@plumbline/diff";
import { applyEdits, type TextEdit } from "../handlers/syntax/text-edits.js";
import { findConcernedUses, type ConcernedUse, type ImpactInput } from "../impact/find-impact.js";
import { editsOfUse } from "./edits-of-use.js";

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
 * Names that have changed are replaced: operations, types, properties, parameters and paths. What is newly required gets a marker that does not
 * compile. Everything else stays as it is, byte for byte.
 */
export function migrateCode(input: ImpactInput<Difference>): CodeMigration {
  const uses = findConcernedUses(input);
  const unreadable = new Set(uses.filter(({ file }) => hasSyntaxErrors(file)).map(({ file }) => file.fileName));
  const readable = uses.filter(({ file }) => !unreadable.has(file.fileName));
  const edits = new Map<ConcernedUse["file"], TextEdit[]>();
  const steps = {
    done: new Map<string, MigrationStep>(),
    toDecide: new Map<string, MigrationStep>(),
    toCheck: new Map<string, MigrationStep>(),
  };
  for (const each of readable) {
    const { difference, use, file, certainty } = each;
    const { line } = file.getLineAndCharacterOfPosition(use.node.getStart(file));
    const step: MigrationStep = { file: file.fileName, line: line + 1, difference };
    const key = `${step.file}:${step.line} ${difference.code} ${difference.message}`;
    const found = certainty === "certain" ? editsOfUse(each, input.next) : undefined;
    if (found === undefined) steps[certainty === "certain" ? "toDecide" : "toCheck"].set(key, step);
    else steps[found.isOpen ? "toDecide" : "done"].set(key, step);
    edits.set(file, [...(edits.get(file) ?? []), ...(found?.edits ?? [])]);
  }
  const files = [...edits].flatMap(([file, each]): readonly MigratedFile[] => {
    const text = applyEdits(file.text, withoutOverlaps(each));
    return text === file.text ? [] : [{ file: file.fileName, original: file.text, text }];
  });
  return {
    files,
    done: [...steps.done.values()],
    toDecide: [...steps.toDecide.values()],
    toCheck: [...steps.toCheck.values()],
    unreadable: [...unreadable],
  };
}

/** The edits without repeated ones, and of those that overlap the first. Several differences may be about the same name. */
function withoutOverlaps(edits: readonly TextEdit[]): readonly TextEdit[] {
  const kept: TextEdit[] = [];
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = kept.at(-1);
    const isSame = last !== undefined && last.start === edit.start && last.end === edit.end;
    const isRepeated = isSame && (last.text === edit.text || edit.end > edit.start);
    if (last === undefined || (edit.start >= last.end && !isRepeated)) kept.push(edit);
  }
  return kept;
}

/** Whether a file has syntax errors, or the markers of a merge conflict. */
export function hasSyntaxErrors(file: ConcernedUse["file"]): boolean {
  // Not in the types of the compiler: the errors that its parser has found in this file.
  const { parseDiagnostics = [] } = file as unknown as { readonly parseDiagnostics?: readonly unknown[] };
  return parseDiagnostics.length > 0 || /^(<{7}|>{7}) /m.test(file.text);
}
