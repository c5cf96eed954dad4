import type { Json, Schema } from "../../../model/index.js";
import { code, importValue, jsonLiteral, type Code } from "../../printer.js";
import { validatorRuntime } from "../runtime.js";
import { emitIssue, emitNested, type CheckSite, type FunctionScope } from "./scope.js";

/** The formats that functions of the user check. Custom keywords of the schemas are checked by such functions, too. */
export interface CustomChecks {
  readonly formats: ReadonlySet<string>;
}

/** The entry point of the runtime with custom formats and keywords. */
export const customRuntime: string = `${validatorRuntime}/custom`;

/** Whether a function of the user checks the format of a schema. */
export function hasCustomFormat(scope: FunctionScope, { format }: Schema): boolean {
  return format !== undefined && scope.context.custom?.formats.has(format) === true;
}

/** Emits the check of a custom format. */
export function customFormatChecks(scope: FunctionScope, schema: Schema, spot: CheckSite): readonly Code[] {
  const { format = "" } = schema;
  if (!hasCustomFormat(scope, schema)) return [];
  const test = code`${importValue("hasCustomFormat", customRuntime)}(${spot.value}, ${jsonLiteral(format)})`;
  return [code`if (!${test}) ${emitIssue(spot, "format", format)}`];
}

/** Emits the checks of custom keywords. They apply to values of every type. */
export function customKeywordChecks(scope: FunctionScope, { keywords }: Schema, spot: CheckSite): readonly Code[] {
  if (scope.context.custom === undefined || keywords === undefined) return [];
  return emitNested(scope, spot, ({ value, hint }) =>
    Object.entries(keywords).map(
      ([name, stated]) =>
        code`${importValue("checkCustomKeyword", customRuntime)}(${value}, issues, ${jsonLiteral(name)}, ${keywordValue(scope, stated, `${hint} ${name}`)});`,
    ),
  );
}

/** Arrays and objects are constants: a check would create them for each value. */
function keywordValue(scope: FunctionScope, value: Json, hint: string): Code {
  if (typeof value !== "object" || value === null) return jsonLiteral(value);
  return scope.context.constants.share(hint, (name) => code`const ${name}: unknown = ${jsonLiteral(value)};`);
}
