import { formatSuggestion, UsageError } from "@plumbline/command-line";
import { tagOfCase } from "../report/counts.js";
import type { Case, Step, Suite } from "../suite.js";

/**
 * Selects cases of a suite. Each word is an id or a prefix of one, a requirement, an area, an operation or a kind. In `only` the name of an
 * operation also selects the workflows and the cases of other operations that test its responses.
 */
export interface CaseSelection {
  readonly only?: readonly string[] | undefined;
  readonly skip?: readonly string[] | undefined;
  /** Only cases that change nothing. */
  readonly readOnly: boolean;
  /** Without the cases that read everything before and after an operation. */
  readonly noFrame?: boolean | undefined;
  /** One part of the selected cases. */
  readonly shard?: Shard | undefined;
}

/** Part `index` of `count`, from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/**
 * Reads a shard such as `2/3`.
 *
 * @throws UsageError for any other text.
 */
export function readShard(text: string): Shard {
  const [, index = "", count = ""] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (index === "" || shard.index > shard.count)
    throw new UsageError(
      `--shard ${JSON.stringify(text)} is not a part such as 2/3. Write its number and the number of parts.`,
    );
  return shard;
}

/**
 * The selected cases, in the suite's order.
 *
 * @throws UsageError for a word that matches nothing, and when no case is selected.
 */
export function selectCases(suite: Suite, selection: CaseSelection): readonly Case[] {
  const { only = [], skip = [], readOnly, noFrame = false, shard } = selection;
  const selections = only.map((word) => casesOf(word, "--only", suite));
  const unwanted = new Set(skip.flatMap((word) => [...casesOf(word, "--skip", suite)]));
  const chosen = suite.cases.filter((each) => only.length === 0 || selections.some((some) => some.has(each)));
  const selected = chosen.filter(
    (each) => !unwanted.has(each) && (!readOnly || each.readOnly === true) && !(noFrame && each.kind === "frame"),
  );
  if (selected.length === 0) throw new UsageError(emptySelectionMessage(selection, suite));
  if (shard === undefined) return selected;
  // Neighbours take equally long, so each part gets every n-th case.
  const part = selected.filter((_, at) => at % shard.count === shard.index - 1);
  if (part.length === 0)
    throw new UsageError(
      `--shard ${shard.index}/${shard.count} has no case: the selection has ${selected.length}. Use fewer parts.`,
    );
  return part;
}

function casesOf(word: string, option: "--only" | "--skip", suite: Suite): ReadonlySet<Case> {
  const same = suite.cases.find((each) => each.id === word);
  if (same !== undefined) return new Set([same]);
  const fits = matcher(word);
  const matching = suite.cases.filter(
    (each) =>
      fits(each.id) ||
      isWithin(each.id, word) ||
      fits(each.kind) ||
      fits(each.operation) ||
      fits(tagOfCase(each, suite)) ||
      each.requirements.some(fits) ||
      (option === "--only" && Object.hasOwn(suite.operations, word) && testsResponseOf(word, each.steps)),
  );
  if (matching.length === 0)
    throw new UsageError(`${option} ${JSON.stringify(word)} ${unknownWordMessage(word, suite)}`);
  return new Set(matching);
}

/** True for steps that check a response of an operation, rather than only prepare the case with it. */
function testsResponseOf(operation: string, steps: readonly Step[]): boolean {
  return steps.some((step) => {
    if ("repeat" in step) return testsResponseOf(operation, step.repeat);
    const calls = "frame" in step ? [step.frame] : "call" in step ? [step] : "parallel" in step ? step.parallel : [];
    return calls.some(({ call, setup }) => call === operation && setup !== true);
  });
}

/** `instances/createInstance` and `instances/createInstance/lab` both begin `instances/createInstance/label/absent`. */
function isWithin(id: string, word: string): boolean {
  return word.includes("/") && id.startsWith(word);
}

function matcher(word: string): (name: string) => boolean {
  if (!word.includes("*")) return (name) => name === word;
  // `*` matches any text. Parts are searched one after the other, so that matching takes linear time.
  const [first = "", ...rest] = word.split("*");
  const last = rest.pop() ?? "";
  return (name) => {
    if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false;
    let at = first.length;
    for (const part of rest) {
      const index = name.indexOf(part, at);
      if (index === -1) return false;
      at = index + part.length;
    }
    return at <= name.length - last.length;
  };
}

function unknownWordMessage(word: string, suite: Suite): string {
  const requirement = Object.hasOwn(suite.requirements, word) ? suite.requirements[word] : undefined;
  if (requirement !== undefined) {
    const why = requirement.untested === undefined ? "" : `: ${requirement.untested}`;
    return `is a requirement that no case tests${why}. \`${suite.command} list --requirements\` lists them all.`;
  }
  return `matches no id, requirement, area, operation or kind.${formatSuggestion(word, namesOf(suite))} \`${suite.command} list\` lists all ids.`;
}

function namesOf(suite: Suite): ReadonlySet<string> {
  return new Set([
    ...suite.cases.flatMap((each) => [tagOfCase(each, suite), each.kind, each.operation, each.id]),
    ...Object.keys(suite.requirements),
  ]);
}

function emptySelectionMessage(
  { only = [], skip = [], readOnly, noFrame = false }: CaseSelection,
  suite: Suite,
): string {
  if (suite.cases.length === 0) return "The suite has no cases. Generate it again.";
  const names = [
    ...only.map((each) => `--only ${each}`),
    ...skip.map((each) => `--skip ${each}`),
    ...(readOnly ? ["--read-only"] : []),
    ...(noFrame ? ["--no-frame"] : []),
  ].join(" ");
  return `${names} together match no case. Remove one of them; \`${suite.command} list\` prints the cases of each.`;
}
