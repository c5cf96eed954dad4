import type { Schema } from "../../../model/index.js";
import { code, type Code } from "../../printer.js";
import { validatorFunction } from "../runtime.js";
import { checkFunction } from "./functions.js";
import { schemaWords } from "./schema-words.js";
import { emitElse, emitIf, type FunctionScope, type CheckSite } from "./scope.js";

/** Emits an expression that is true if a value matches a schema. */
export function emitMatches(scope: FunctionScope, schema: Schema, { value, hint }: CheckSite): Code {
  if (schema.never) return code`false`;
  return code`${validatorFunction("isValid")}(${checkFunction(scope.context, schema, hint)}, ${value})`;
}

/** Emits the checks of `not`, `if`, `then` and `else`. */
export function conditionChecks(
  scope: FunctionScope,
  schema: Schema,
  spot: CheckSite,
  emitter: ConditionEmitter,
): readonly Code[] {
  const { not, if: condition, then, else: otherwise } = schema;
  const statements: Code[] = [];
  if (not !== undefined) {
    const { issue } = emitter;
    statements.push(emitIf(emitMatches(scope, not, { ...spot, hint: `${spot.hint}Not` }), [issue(spot)]));
  }
  if (condition === undefined) return statements;
  const words = schemaWords(condition);
  const apply = (branch: Schema | undefined, hint: string): readonly Code[] =>
    branch === undefined ? [] : scope.block(() => emitter.schema(branch, { ...spot, hint: `${spot.hint} ${hint}` }));
  const thenChecks = apply(then, words === "" ? "then" : words);
  const elseChecks = apply(otherwise, words === "" ? "else" : `unless ${words}`);
  if (thenChecks.length === 0 && elseChecks.length === 0) return statements;
  const test = emitMatches(scope, condition, { ...spot, hint: conditionHint(spot.hint, condition) });
  if (thenChecks.length === 0) return [...statements, emitIf(code`!${test}`, elseChecks)];
  if (elseChecks.length === 0) return [...statements, emitIf(test, thenChecks)];
  return [...statements, code`if (${test}) {\n${thenChecks}\n}${emitElse(elseChecks)}`];
}

/** Returns the words for the name of a condition of `if`. */
export function conditionHint(hint: string, condition: Schema): string {
  return `${hint} if ${schemaWords(condition)}`;
}

interface ConditionEmitter {
  readonly schema: (schema: Schema, spot: CheckSite) => readonly Code[];
  readonly issue: (spot: CheckSite) => Code;
}
