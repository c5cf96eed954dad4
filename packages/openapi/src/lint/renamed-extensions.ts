import type { LintNode } from "./lint-node.js";
import type { ExtensionFieldName } from "./vocabulary.js";

/** An old word of the vocabulary, and the word that replaces it. */
export interface RenamedWord {
  /** The extension field, by its new name. */
  readonly field: ExtensionFieldName;
  readonly kind: "field" | "key" | "value";
  /**
   * The path from an entry of the field to the object with the key, or to the value. `*` is each item or each key.
   * Fields whose value is a list have one entry for each item.
   */
  readonly at: string;
  readonly old: string;
  readonly new: string;
}

/** Every renamed word. The linter reports the old ones. */
export const renamedWords: readonly RenamedWord[] = [
  { field: "x-mutability", kind: "field", at: "", old: "x-change", new: "x-mutability" },
  { field: "x-mutability", kind: "value", at: "rule", old: "create-only", new: "immutable" },

  { field: "x-visibility", kind: "field", at: "", old: "x-visible", new: "x-visibility" },
  { field: "x-visibility", kind: "key", at: "otherwise", old: "first", new: "truncate" },

  { field: "x-input", kind: "value", at: "nulls", old: "judged", new: "validated" },
  { field: "x-input", kind: "value", at: "readOnly", old: "refuse", new: "reject" },
  { field: "x-input", kind: "value", at: "unknown", old: "refuse", new: "reject" },

  { field: "x-reference", kind: "key", at: "", old: "unfit", new: "onConstraintViolation" },
  { field: "x-reference", kind: "key", at: "", old: "missing", new: "onNotFound" },
  { field: "x-reference", kind: "key", at: "", old: "deleted", new: "onDelete" },
  { field: "x-reference", kind: "value", at: "deleted", old: "detach", new: "set-null" },
  { field: "x-reference", kind: "value", at: "deleted", old: "refuse", new: "restrict" },
  { field: "x-reference", kind: "value", at: "onDelete", old: "detach", new: "set-null" },
  { field: "x-reference", kind: "value", at: "onDelete", old: "refuse", new: "restrict" },

  { field: "x-effects", kind: "key", at: "", old: "proof", new: "verifiedBy" },
  { field: "x-errors", kind: "key", at: "", old: "proof", new: "verifiedBy" },
  { field: "x-errors", kind: "key", at: "", old: "mentions", new: "reasonContains" },

  { field: "x-value", kind: "key", at: "", old: "take", new: "set" },
  { field: "x-value", kind: "key", at: "", old: "sent", new: "matches" },
  { field: "x-value", kind: "key", at: "", old: "means", new: "interpretAs" },

  { field: "x-state-machine", kind: "key", at: "initial/*", old: "by", new: "event" },
  { field: "x-state-machine", kind: "key", at: "initial/*", old: "takes", new: "duration" },
  { field: "x-state-machine", kind: "key", at: "transitions/*", old: "by", new: "event" },
  { field: "x-state-machine", kind: "key", at: "transitions/*", old: "on", new: "subject" },
  { field: "x-state-machine", kind: "key", at: "transitions/*", old: "takes", new: "duration" },
  { field: "x-state-machine", kind: "key", at: "transitions/*", old: "else", new: "error" },
  { field: "x-state-machine", kind: "value", at: "hidden/*", old: "$gone", new: "$deleted" },
  { field: "x-state-machine", kind: "value", at: "initial/*/then/*", old: "$gone", new: "$deleted" },
  { field: "x-state-machine", kind: "value", at: "transitions/*/to", old: "$gone", new: "$deleted" },
  { field: "x-state-machine", kind: "value", at: "transitions/*/to", old: "$before", new: "$previous" },
  { field: "x-state-machine", kind: "value", at: "transitions/*/then/*", old: "$gone", new: "$deleted" },
  { field: "x-state-machine", kind: "value", at: "transitions/*/then/*", old: "$before", new: "$previous" },
];

/** Returns the rename of an extension field, by its old name. */
export function findRenamedField(name: string): RenamedWord | undefined {
  return renamedWords.find((each) => each.kind === "field" && each.old === name);
}

/** An old word in a description, at its location. */
export interface RenamedWordUse {
  readonly word: RenamedWord;
  readonly at: LintNode;
}

/** Finds the old keys and values inside an extension field. */
export function findRenamedWords(field: ExtensionFieldName, node: LintNode): readonly RenamedWordUse[] {
  const entries = Array.isArray(node.value) ? node.items() : [node];
  return renamedWords
    .filter((word) => word.field === field)
    .flatMap((word) => {
      const found = entries.flatMap((entry) => descendants(entry, word.at === "" ? [] : word.at.split("/")));
      if (word.kind === "value") return found.filter(({ value }) => value === word.old).map((at) => ({ word, at }));
      if (word.kind === "field") return [];
      return found.flatMap((each) => each.child(word.old) ?? []).map((at) => ({ word, at }));
    });
}

function descendants(node: LintNode, [key, ...rest]: readonly string[]): readonly LintNode[] {
  if (key === undefined) return [node];
  const children = key === "*" ? [...node.items(), ...node.entries().map(([, each]) => each)] : [node.child(key)];
  return children.flatMap((each) => (each === undefined ? [] : descendants(each, rest)));
}
