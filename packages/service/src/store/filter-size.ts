import { errors } from "@cloud-compute/server";
import type { Sent } from "./filter.js";

/** Rejects a filter that would cost each row too much, before anything is made of it. Throws a Refused. */
export function assertFilterSize(filter: Sent): void {
  let conditions = 0;
  let contains = 0;
  const left: Sent[] = [filter];
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    let own = 0;
    for (const [name, value] of Object.entries(each)) {
      if (name === "+and" || name === "+or") left.push(...(value as readonly Sent[]));
      else if (typeof value === "object" && value !== null) {
        const operators = Object.keys(value);
        own += operators.length;
        if (operators.includes("+contains")) contains += 1;
      } else own += 1;
    }
    // One that combines others, or has nothing, is a condition, too.
    conditions += Math.max(own, 1);
    if (conditions + left.length > mostConditions) throw tooMany(`${mostConditions} conditions`);
    if (contains > mostContains) throw tooMany(`${mostContains} conditions +contains`);
  }
}

const mostConditions = 200;

/** No index helps those: each is compared with each row. */
const mostContains = 20;

function tooMany(what: string): Error {
  return errors.invalidRequest({ field: "X-Filter", reason: `A filter may have at most ${what}` });
}
