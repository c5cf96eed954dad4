import { errors } from "@cloud-compute/server";
import type { Sent } from "./filter.js";

/** Rejects a filter that is too large, before anything is made of it. The description states the three bounds. Throws a Refused. */
export function assertFilterSize(filter: Sent): void {
  let conditions = 0;
  let contains = 0;
  const left = [{ filter, level: 1 }];
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    const { level } = each;
    if (level > mostLevels) throw tooLarge(`Must not be nested deeper than ${mostLevels} levels`);
    let own = 0;
    for (const [name, value] of Object.entries(each.filter)) {
      if (name === "+and" || name === "+or") {
        const within = value as readonly Sent[];
        if (conditions + left.length + within.length > mostConditions) throw tooMany(`${mostConditions} conditions`);
        left.push(...within.map((inner) => ({ filter: inner, level: level + 1 })));
      } else if (typeof value === "object" && value !== null) {
        const operators = Object.keys(value);
        own += operators.length;
        if (operators.includes("+contains")) contains += 1;
      } else own += 1;
    }
    // An empty filter is a condition, too; one that only combines others is counted with these.
    conditions += isCombined(each.filter) ? own : Math.max(own, 1);
    if (conditions > mostConditions) throw tooMany(`${mostConditions} conditions`);
    if (contains > mostContains) throw tooMany(`${mostContains} conditions with +contains`);
  }
}

/** SQLite parses with a stack of 100 entries, of which a level takes six. */
const mostLevels = 8;

/** Expressions of SQLite are at most 1,000 deep, of which a condition takes two. */
const mostConditions = 250;

/** No index helps these: each is compared with each row. */
const mostContains = 20;

function isCombined(filter: Sent): boolean {
  return filter["+and"] !== undefined || filter["+or"] !== undefined;
}

function tooMany(what: string): Error {
  return tooLarge(`Must have at most ${what}`);
}

function tooLarge(reason: string): Error {
  return errors.invalidRequest({ field: "X-Filter", reason });
}
