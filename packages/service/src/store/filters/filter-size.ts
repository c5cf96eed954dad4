import { errors, type FilterExpression } from "@cloud-compute/server";

/**
 * Checks the size of a filter before it is used. The description states the three limits.
 *
 * @throws when the filter is too large
 */
export function assertFilterSize(filter: FilterExpression): void {
  let conditions = 0;
  let contains = 0;
  const pending = [{ filter, level: 1 }];
  for (let each = pending.pop(); each !== undefined; each = pending.pop()) {
    const { level } = each;
    if (level > maxLevels) throw tooLarge(`Must not be nested deeper than ${maxLevels} levels`);
    let operatorCount = 0;
    for (const [name, value] of Object.entries(each.filter)) {
      if (name === "+and" || name === "+or") {
        const within = value as readonly FilterExpression[];
        if (conditions + pending.length + within.length > maxConditions) throw tooMany(`${maxConditions} conditions`);
        pending.push(...within.map((inner) => ({ filter: inner, level: level + 1 })));
      } else if (typeof value === "object" && value !== null) {
        const operators = Object.keys(value);
        operatorCount += operators.length;
        if (operators.includes("+contains")) contains += 1;
      } else operatorCount += 1;
    }
    // An empty filter counts as a condition. One that only combines others counts through these.
    conditions += isCombined(each.filter) ? operatorCount : Math.max(operatorCount, 1);
    if (conditions > maxConditions) throw tooMany(`${maxConditions} conditions`);
    if (contains > maxContains) throw tooMany(`${maxContains} conditions with +contains`);
  }
}

/** SQLite parses with a stack of 100 entries, and a level takes six. */
const maxLevels = 8;

/** Expressions of SQLite are at most 1,000 deep, and a condition takes two. */
const maxConditions = 250;

/** An index helps only some of these. The others are compared with each row. */
const maxContains = 20;

function isCombined(filter: FilterExpression): boolean {
  return filter["+and"] !== undefined || filter["+or"] !== undefined;
}

function tooMany(what: string): Error {
  return tooLarge(`Must have at most ${what}`);
}

function tooLarge(reason: string): Error {
  return errors.invalidRequest({ field: "X-Filter", reason });
}
