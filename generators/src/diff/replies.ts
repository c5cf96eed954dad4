import type { Header, Operation, Reply } from "../model/api.js";
import { contents } from "./bodies.js";
import { report, type At } from "./comparison.js";
import { text } from "./info.js";
import { matched } from "./matched.js";
import { shapes } from "./shapes.js";
import { compareBy, places, type Table } from "./table.js";
import { visible } from "./visible.js";

/** Compares responses by status. */
export function replies(old: Operation, next: Operation, at: At): void {
  const { both, removed, added } = matched(old.replies, next.replies, ({ status }) => String(status));
  for (const [before, after] of both) {
    const place = placeOf(after);
    compareBy(table, before, after, { ...at, direction: "reply", place, thing: `the ${place}` });
  }
  for (const each of added) {
    const code = isSuccess(each) ? "reply-success-added" : "reply-failure-added";
    report(at, code, { what: placeOf(each), here: each.origin });
  }
  for (const each of removed) {
    const code = isSuccess(each) ? "reply-success-removed" : "reply-failure-removed";
    report(at, code, { what: placeOf(each), gone: each.origin });
  }
}

const table: Table<Reply> = {
  status: "reported where responses are matched",
  description: text,
  headers,
  contents,
  visible: (old, next, at) => visible(old, next, at),
  ...places,
};

function placeOf({ status }: Reply): string {
  return `response ${status}`;
}

/** Whether a status or range begins with 2; `default` counts as an error. */
function isSuccess({ status }: Reply): boolean {
  return String(status).startsWith("2");
}

/** Compares headers; their names are case-insensitive. */
function headers(old: Reply, next: Reply, at: At): void {
  const { both, removed, added } = matched(old.headers, next.headers, ({ name }) => name.toLowerCase());
  const nameOf = ({ name }: Header): string => `header "${name}" in ${at.place}`;
  for (const [before, after] of both)
    compareBy(headerTable, before, after, { ...at, place: nameOf(after), thing: `the ${nameOf(after)}` });
  for (const each of added)
    report(at, each.required ? "header-required-added" : "header-added", { what: nameOf(each), here: each.origin });
  for (const each of removed) report(at, "header-removed", { what: nameOf(each), gone: each.origin });
}

const headerTable: Table<Header> = {
  name: "reported where headers are matched",
  required: (_, next, at) =>
    report(at, next.required ? "header-required" : "header-optional", { what: at.place, here: next.origin }),
  description: text,
  shape: (old, next, at) => shapes(old.shape, next.shape, at),
  ...places,
};
