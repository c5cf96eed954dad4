import { code, literal, type Code } from "../../emit/printer.js";
import type { Shape } from "../../model/api.js";
import { $ } from "../runtime.js";
import { fault, type Scope, type Spot } from "./scope.js";

/**
 * Returns the checks of a string, without its type check. The length is checked before the pattern, which bounds the
 * pattern's run time.
 */
export function textChecks(scope: Scope, shape: Shape, spot: Spot): readonly Code[] {
  const { minLength = 0, maxLength, pattern, format } = shape;
  const within: Code[] = [];
  if (pattern !== undefined) {
    const compiled = scope.around.pool.pattern(spot.hint, pattern, shape.origin);
    within.push(code`if (!${compiled}.test(${spot.value})) ${fault(spot, "pattern", pattern)}`);
  }
  const judges = format === undefined ? undefined : formats[format];
  if (judges !== undefined) within.push(code`if (!${$(judges)}(${spot.value})) ${fault(spot, "format", format)}`);
  const length = lengthTest(minLength, maxLength, spot.value);
  if (length === undefined) return within;
  const failed = code`if (${length}) ${fault(spot, "length", minLength === 0 ? undefined : minLength, maxLength)}`;
  return within.length === 0 ? [failed] : [code`${failed}\nelse {\n${within}\n}`];
}

/**
 * Emits an expression that is true for a string that is too short or too long.
 * Code points are counted only if the number of UTF-16 units does not decide.
 */
function lengthTest(min: number, max: number | undefined, value: Code): Code | undefined {
  if (max === undefined) {
    if (min === 0) return undefined;
    if (min === 1) return code`${value}.length === 0`;
    return code`${$("isShorter")}(${value}, ${literal(min)})`;
  }
  const longer = code`${value}.length > ${literal(max)} && ${$("isLonger")}(${value}, ${literal(max)})`;
  if (min === 0) return longer;
  if (min === 1) return code`${value}.length === 0 || (${longer})`;
  return code`${$("isShorter")}(${value}, ${literal(min)}) || (${longer})`;
}

/** The runtime's check function of each format. Unknown formats are not checked, as JSON Schema specifies. */
export const formats: Readonly<Record<string, string>> = {
  "date-time": "isDateTime",
  date: "isDate",
  time: "isTime",
  duration: "isDuration",
  email: "isEmail",
  hostname: "isHostname",
  "idn-email": "isIdnEmail",
  ipv4: "isIpv4",
  ipv6: "isIpv6",
  uri: "isUri",
  "uri-reference": "isUriReference",
  uuid: "isUuid",
  "json-pointer": "isJsonPointer",
  regex: "isRegex",
  byte: "isBase64",
};
