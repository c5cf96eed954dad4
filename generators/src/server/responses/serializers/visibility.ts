import { code, joinCode, jsonLiteral, type Code } from "@plumbline/kit/codegen";
import { checkFunction, type CompileContext, type LocateOrigin } from "@plumbline/kit/codegen/validation";
import {
  type Condition,
  type Schema,
  type Visibility,
  DiagnosticsError,
  heldSchemas,
  type SourceRef,
} from "@plumbline/kit/model";
import { serverFunction } from "../../runtime.js";

/** The context of visibility rules. */
export interface VisibilityContext {
  /** The context for checks of callers. */
  readonly context: CompileContext;
  readonly locate: LocateOrigin;
}

/** Emits the value if it is visible, and its replacement otherwise. */
export function emitVisibleValue(value: Code, schema: Schema, hint: string, audience: VisibilityContext): Code {
  const { in: operations, when, otherwise } = schema.visibility ?? {};
  const tests = [
    ...(operations === undefined ? [] : [isOneOf(operations)]),
    ...(when === undefined
      ? []
      : [code`${serverFunction("isVisibleTo")}(context, ${emitCallerCheck(when, schema.origin, hint, audience)})`]),
  ];
  if (tests.length === 0) return value;
  return code`${joinCode(tests, code` && `)} ? ${value} : ${emitOtherwise(otherwise, value)}`;
}

/**
 * Emits the check of a condition on the caller.
 * @throws A DiagnosticsError for any other condition, since only the caller is known when a response is serialized.
 */
export function emitCallerCheck(
  when: Condition,
  origin: SourceRef,
  hint: string,
  { context, locate }: VisibilityContext,
): Code {
  const { caller, ...others } = when;
  const [other] = Object.keys(others);
  if (caller === undefined || other !== undefined) {
    const message = `Visibility may only depend on the caller, and here depends on ${other ?? "nothing"}.`;
    const fix = 'Use only "caller" in "when" of "x-visibility".';
    throw new DiagnosticsError([{ code: "extension/schema", severity: "error", origin: locate(origin), message, fix }]);
  }
  return checkFunction(context, caller, `caller of ${hint}`);
}

function isOneOf(operations: readonly string[]): Code {
  if (operations.length === 0) return code`false`;
  const tests = operations.map((each) => code`context.operation === ${jsonLiteral(each)}`);
  return tests.length === 1 ? joinCode(tests, code``) : code`(${joinCode(tests, code` || `)})`;
}

function emitOtherwise(otherwise: Visibility["otherwise"], value: Code): Code {
  if (otherwise === undefined || otherwise === "absent") return code`undefined`;
  return otherwise === null
    ? code`null`
    : code`${serverFunction("truncate")}(${value}, ${jsonLiteral(otherwise.truncate)})`;
}

/** True if some operations or callers do not see a value that the schema describes. */
export function hasVisibility(schema: Schema): boolean {
  if (schema.visibility?.in !== undefined || schema.visibility?.when !== undefined) return true;
  const properties = schema.properties?.map((property) => property.schema) ?? [];
  return [...properties, ...heldSchemas(schema).map((each) => each.schema)].some(hasVisibility);
}
