import type { LintFinding, LintRule } from "../rule.js";
import { findRenamedField, findRenamedWords, type RenamedWord } from "../renamed-extensions.js";
import type { LintNode } from "../lint-node.js";

/** No extension field, key or value has its old name. */
export const renamedExtensionsRule: LintRule = function* (survey) {
  for (const { node } of survey.hosts) {
    for (const [name, value] of node.entries()) {
      const word = findRenamedField(name);
      if (word === undefined) continue;
      yield renamed(word, value);
      for (const inside of findRenamedWords(word.field, value)) yield renamed(inside.word, inside.at);
    }
  }
  for (const { field, node } of survey.extensions)
    for (const { word, at } of findRenamedWords(field, node)) yield renamed(word, at);
};

function renamed({ field, kind, old, new: name }: RenamedWord, at: LintNode): LintFinding {
  const where = kind === "field" ? "" : ` of ${field}`;
  const noun = kind === "field" ? "extension field" : kind;
  return {
    code: "extension/renamed",
    at,
    message: `The ${noun} \`${old}\`${where} has a new name.`,
    fix: `Write \`${name}\`.`,
  };
}
