import { type Schema, sizeLimits, ownValue } from "../../../model/index.js";
import { code, jsonLiteral, type Code } from "../../printer.js";
import { validatorFunction } from "../runtime.js";
import { customFormatChecks, hasCustomFormat } from "./custom.js";
import { emitElse, emitIf, emitIssue, type FunctionScope, type CheckSite } from "./scope.js";

/**
 * Returns the checks of a string, without its type check. The length is checked before the pattern, which bounds the
 * pattern's run time.
 */
export function stringChecks(scope: FunctionScope, schema: Schema, spot: CheckSite): readonly Code[] {
  const { pattern, format } = schema;
  const { least = 0, most } = sizeLimits("characters", [schema]);
  const within: Code[] = [];
  if (pattern !== undefined) {
    const compiled = scope.context.constants.pattern(spot.hint, pattern, { origin: schema.origin, maxLength: most });
    within.push(emitIf(code`!${compiled}.test(${spot.value})`, [emitIssue(spot, "pattern", pattern)]));
  }
  const checker = format === undefined || hasCustomFormat(scope, schema) ? undefined : ownValue(formatCheckers, format);
  within.push(...customFormatChecks(scope, schema, spot));
  if (checker !== undefined)
    within.push(emitIf(code`!${validatorFunction(checker)}(${spot.value})`, [emitIssue(spot, "format", format)]));
  const length = lengthTest(least, most, spot.value);
  if (length === undefined) return within;
  const issue = least > 0 && isEmptyIfAbsent(schema) ? "lengthOrAbsent" : "length";
  const failed = emitIf(length, [emitIssue(spot, issue, least === 0 ? undefined : least, most)]);
  return within.length === 0 ? [failed] : [code`${failed}${emitElse(within)}`];
}

/** Whether the server sets an absent value to the empty text, which clients cannot send. */
function isEmptyIfAbsent({ valueRules = [] }: Schema): boolean {
  return valueRules.some(({ absent, set }) => absent === true && set?.kind === "value" && set.value === "");
}

/**
 * Emits an expression that is true for a string that is too short or too long.
 * Code points are counted only if the number of UTF-16 units does not decide.
 */
function lengthTest(min: number, max: number | undefined, value: Code): Code | undefined {
  if (max === undefined) {
    if (min === 0) return undefined;
    if (min === 1) return code`${value}.length === 0`;
    return code`${validatorFunction("isShorter")}(${value}, ${jsonLiteral(min)})`;
  }
  const longer = code`${value}.length > ${jsonLiteral(max)} && ${validatorFunction("isLonger")}(${value}, ${jsonLiteral(max)})`;
  if (min === 0) return longer;
  if (min === 1) return code`${value}.length === 0 || (${longer})`;
  return code`${validatorFunction("isShorter")}(${value}, ${jsonLiteral(min)}) || (${longer})`;
}

/** The runtime's check function of each format. Unknown formats are not checked, as JSON Schema specifies. */
export const formatCheckers: Readonly<Record<string, string>> = {
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
