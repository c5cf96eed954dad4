import type { Body, BodyInput, Content, Operation } from "../model/api.js";
import type { Origin } from "../problem.js";
import { report, type At } from "./comparison.js";
import { text } from "./info.js";
import { matched } from "./matched.js";
import { same } from "./same.js";
import { shapes } from "./shapes.js";
import { compareBy, places, type Table } from "./table.js";

/** Compares request bodies. */
export function bodies({ body: old }: Operation, { body: next }: Operation, from: At): void {
  const at: At = { ...from, direction: "request", place: what, thing: `the ${what}` };
  if (old !== undefined && next !== undefined) compareBy(table, old, next, at);
  else if (next !== undefined)
    report(at, next.required ? "body-required-added" : "body-added", { what, here: next.origin });
  else if (old !== undefined) report(at, "body-removed", { what, gone: old.origin });
}

/** Compares the representations of a request body or a response. */
export function contents<T extends { readonly contents: readonly Content[]; readonly origin: Origin }>(
  old: T,
  next: T,
  at: At,
): void {
  const { both, removed, added } = matched(old.contents, next.contents, ({ mediaType }) => mediaType);
  const isOne = old.contents.length < 2 && next.contents.length < 2;
  for (const [before, after] of both) {
    const of = isOne ? at : { ...at, place: `${at.place} ${after.mediaType}`, thing: `${at.thing} ${after.mediaType}` };
    compareBy(contentTable, before, after, of);
    if (!same(before.encoding, after.encoding)) report(of, "encoding-changed", { here: next.origin });
    if (!same(before.example, after.example)) report(of, "example-changed", { here: next.origin });
  }
  const what = at.place;
  if (at.direction === "reply" && old.contents.length === 0 && added.length > 0) {
    report(at, "reply-body-added", {
      what,
      new: added.map(({ mediaType }) => mediaType).join(" or "),
      here: next.origin,
    });
    return;
  }
  for (const { mediaType } of added)
    report(at, `${at.direction}-media-added`, { what, new: mediaType, here: next.origin });
  for (const { mediaType } of removed)
    report(at, `${at.direction}-media-removed`, { what, old: mediaType, here: next.origin });
}

const what = "request body";

const table: Table<Body> = {
  required: (_, next, at) => report(at, next.required ? "body-required" : "body-optional", { what, here: next.origin }),
  description: text,
  contents,
  input: (old, next, at) => compareBy(inputTable(next), old.input, next.input, at),
  ...places,
};

const contentTable: Table<Content> = {
  mediaType: "reported where representations are matched",
  shape: (old, next, at) => shapes(old.shape, next.shape, at),
  encoding: "reported where representations are matched",
  example: "reported where representations are matched",
};

function inputTable({ origin: here }: Body): Table<BodyInput> {
  return {
    absent: (old, next, at) => report(at, "input-absent-changed", { what, old: old.absent, new: next.absent, here }),
    nulls: (old, next, at) => report(at, "input-nulls-changed", { what, old: old.nulls, new: next.nulls, here }),
    readOnly: (_, next, at) =>
      report(at, next.readOnly === "refuse" ? "input-read-only-refused" : "input-read-only-ignored", { what, here }),
    unknown: (_, next, at) =>
      report(at, next.unknown === "refuse" ? "input-unknown-refused" : "input-unknown-ignored", { what, here }),
    unchanged: (_, next, at) =>
      report(at, next.unchanged === "judge" ? "input-unchanged-judged" : "input-unchanged-accepted", { what, here }),
    merged: (old, next, at) =>
      report(at, "input-merged-changed", { what, old: old.merged ?? "anything", new: next.merged ?? "anything", here }),
  };
}
