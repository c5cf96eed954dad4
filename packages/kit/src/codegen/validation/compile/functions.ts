import { type Schema, visitSubschemas } from "../../../model/index.js";
import { code, type Code } from "../../printer.js";
import { validatorFunction, validatorType } from "../runtime.js";
import { declaredProperties } from "./declared-properties.js";
import { contentWords, schemaWords } from "./schema-words.js";
import { isBareReference, valuePositionChecks, schemaChecks } from "./schemas.js";
import { type CheckSite, FunctionScope, type CompileContext } from "./scope.js";

/** Returns the name of a function that checks an unnamed schema. Functions with the same code are shared. */
export function checkFunction(context: CompileContext, schema: Schema, hint: string): Code {
  if (isBareReference(schema)) return context.refer(schema.ref ?? "", context.nulls);
  const content = contentWords(schema);
  const sent = context.nulls === "absent" && containsFields(schema) ? "sent " : "";
  const checkHint = `check ${sent}${hint}`;
  const words = schemaWords(schema);
  const longer = hint.endsWith(words) ? checkHint : `${checkHint} ${words}`;
  return context.constants.share({ hint: checkHint, longer, content: content && `${sent}${content}` }, (name) =>
    declareCheckFunction(context, schema, { name, hint }, schemaChecks),
  );
}

function containsFields(schema: Schema): boolean {
  let contains = false;
  visitSubschemas(schema, (each) => {
    contains ||= hasFields(each);
  });
  return contains;
}

/** Whether a schema itself has fields. For others, it does not matter how nulls of fields are handled. */
export function hasFields({ properties, required, dependentRequired, dependentSchemas }: Schema): boolean {
  return [properties, required, dependentRequired, dependentSchemas].some((each) => each !== undefined);
}

/** Emits a call of the function that checks a schema. */
export function callCheckFunction(context: CompileContext, schema: Schema, { value, hint }: CheckSite): Code {
  const check = checkFunction(context, schema, hint);
  const reject = context.canReject(schema) ? code`, reject` : code``;
  return code`${check}(${value}, issues${reject});`;
}

/**
 * Returns the name of a function that checks a complete body or parameter, and can reject unknown fields. Returns `undefined` if there is
 * nothing to check.
 */
export function valueCheckFunction(context: CompileContext, schema: Schema, hint: string): Code | undefined {
  if (acceptsAll(context, schema, hint)) return undefined;
  if (isBareReference(schema) && declaredProperties(context.schemas, schema) === undefined)
    return context.refer(schema.ref ?? "", context.nulls);
  return context.constants.share({ hint: `check ${hint}`, content: contentWords(schema) }, (name) =>
    declareCheckFunction(context, schema, { name, hint }, valuePositionChecks),
  );
}

/** Whether nothing of a complete body or parameter is checked. */
export function acceptsAll(context: CompileContext, schema: Schema, hint: string): boolean {
  return valuePositionChecks(new FunctionScope(context), schema, { value: code`value`, hint }).length === 0;
}

/** Returns the name of a function that checks a body, and accepts values that match `echoed`, a table of checks of response fields. */
export function echoedCheckFunction(context: CompileContext, check: Code, hint: string, echoed: Code): Code {
  return context.constants.share(
    `check ${hint} or echoed`,
    (name) => code`/** A value just as a read returned it is accepted. */
function ${name}(value: unknown, issues: ${validatorType("Issues")}, reject?: boolean): void {
const before = issues.length;
${check}(value, issues, reject);
if (issues.length > before) ${validatorFunction("acceptEchoedValues")}(value, issues, before, ${echoed}());
}`,
  );
}

/** Declares the check function of a named schema. */
export function namedCheckFunction(context: CompileContext, schema: Schema, name: Code, hint: string): Code {
  return code`export ${declareCheckFunction(context, schema, { name, hint }, schemaChecks)}`;
}

/** Declares the check function of a complete body that several files import. Others call it with `reject`. */
export function bodyCheckFunction(context: CompileContext, schema: Schema, name: Code, hint: string): Code {
  return code`export ${declareCheckFunction(context, schema, { name, hint, isCalled: true }, valuePositionChecks)}`;
}

function declareCheckFunction(
  context: CompileContext,
  schema: Schema,
  { name, hint, isCalled = false }: { readonly name: Code; readonly hint: string; readonly isCalled?: boolean },
  emitChecks: typeof schemaChecks,
): Code {
  const statements = emitChecks(new FunctionScope(context), schema, { value: code`value`, hint });
  const reject =
    isCalled || context.canReject(schema) || statements.some(readsReject) ? code`, reject?: boolean` : code``;
  return code`function ${name}(value: unknown, issues: ${validatorType("Issues")}${reject}): void {\n${statements}\n}`;
}

/** Whether code depends on the parameter that rejects unknown fields. */
function readsReject({ parts }: Code): boolean {
  return parts.some((part) => {
    if (typeof part === "string") return /\breject\b/.test(part);
    return "parts" in part && readsReject(part);
  });
}
