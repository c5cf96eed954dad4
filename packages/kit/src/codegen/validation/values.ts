import type { Condition, Expression, Property, Schema, ValueSource, ValueRule } from "../../model/index.js";
import { code, joinCode, propertyKey, jsonLiteral, renderCode, type Code } from "../printer.js";
import { emitMatches } from "./compile/conditions.js";
import { FunctionScope, type CompileContext } from "./compile/scope.js";
import type { NormalizerSettings } from "./normalizer-settings.js";
import { validatorFunction } from "./runtime.js";

/**
 * Emits the rules of `x-value` that the request alone determines, as a function of the sent value. Rules end at the
 * first one that depends on
 * stored data, the caller or the platform, because its outcome decides whether later rules apply.
 */
export function emitValueRules(
  property: Property,
  how: NormalizerSettings,
  { context, hint }: { readonly context: CompileContext; readonly hint: string },
): readonly Code[] {
  const validated: { readonly rule: ValueRule; readonly result: Code | undefined }[] = [];
  for (const rule of property.schema.valueRules ?? []) {
    if (rule.absent && !how.appliesDefaults) continue;
    if (needsMoreThanBody(rule, how)) break;
    validated.push({ rule, result: resultOf(rule, how) });
    if (isAlways(rule)) break;
  }
  const last = validated.findLastIndex(({ result }) => result !== undefined);
  if (last < 0) return [];
  const statements = validated.slice(0, last + 1).map(({ rule, result }) => {
    const gives = code`return ${result ?? code`value`};`;
    return isAlways(rule) ? gives : code`if (${testOf(rule, context, `${hint} ${property.name}`)}) ${gives}`;
  });
  const rest = validated.slice(0, last + 1).some(({ rule }) => isAlways(rule)) ? [] : [code`return value;`];
  const readsFields = statements.some((each) => /\bfields\b/.test(renderCode(each)));
  const parameters = readsFields ? code`value, fields` : code`value`;
  return [code`${propertyKey(property.name)}: (${parameters}) => {\n${[...statements, ...rest]}\n}`];
}

/** True for a rule that the request alone determines. `isNested`: whether the value is inside the body. */
export function isRequestOnly(rule: ValueRule, isNested: boolean): boolean {
  const how = { nulls: "validated", appliesDefaults: true, appliesDerivedValues: true, isNested } as const;
  if (needsMoreThanBody(rule, how)) return false;
  return rule.set === undefined || rule.set.kind === "ignore" || sourceExpression(rule.set, how) !== undefined;
}

function isAlways({ absent, matches, when }: ValueRule): boolean {
  return absent === undefined && matches === undefined && when === undefined;
}

/** True if the condition of the rule depends on more than the body. */
function needsMoreThanBody({ when }: ValueRule, { isNested }: NormalizerSettings): boolean {
  return when !== undefined && (isNested || bodyOf(when) === undefined);
}

function testOf({ absent, matches, when }: ValueRule, context: CompileContext, hint: string): Code {
  const scope = new FunctionScope(context);
  const body = when === undefined ? undefined : bodyOf(when);
  const tests = [
    ...(absent ? [code`value === undefined`] : []),
    ...(matches === undefined
      ? []
      : [code`value !== undefined`, emitMatches(scope, matches, { value: code`value`, hint: `${hint} sent` })]),
    ...(body === undefined ? [] : [emitMatches(scope, body, { value: code`fields`, hint: `${hint} when` })]),
  ];
  return joinCode(tests, code` && `);
}

/** Returns the condition on the body, if there is no other condition. */
function bodyOf(condition: Condition): Schema | undefined {
  const { body, ...others } = condition;
  return Object.keys(others).length === 0 ? body : undefined;
}

/** Emits the value that a rule sets, or returns `undefined` if the server determines it or the value stays as sent. */
function resultOf({ set, round, to, escape }: ValueRule, how: NormalizerSettings): Code | undefined {
  if (set !== undefined) return sourceExpression(set, how);
  if (round !== undefined && to !== undefined)
    return code`${validatorFunction(round === "up" ? "roundUp" : "roundNearest")}(value, ${jsonLiteral(to)})`;
  return escape === undefined ? undefined : code`${validatorFunction("escapeAscii")}(value)`;
}

function sourceExpression(take: ValueSource, how: NormalizerSettings): Code | undefined {
  if (take.kind === "value") return jsonLiteral(take.value);
  if (take.kind === "ignore") return code`undefined`;
  if (take.kind === "platform" || take.times !== undefined || take.minus !== undefined) return undefined;
  const field = how.isNested && take.from.root === "request" ? undefined : siblingField(take.from);
  return field === undefined ? undefined : code`fields[${jsonLiteral(field)}]`;
}

/** Returns the field of the same object that an expression refers to. */
function siblingField({ root, part, pointer }: Expression): string | undefined {
  const [field, ...deeper] = pointer;
  if (field === undefined || deeper.length > 0) return undefined;
  return (root === "relative" && part === "1") || (root === "request" && part === "body") ? field : undefined;
}
