import type { Operation } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import type { RecordEdits, ResultMigration } from "../results/migrated-call.js";
import { planErrorCallbacks, planErrorRead, type HookError } from "./error-reads.js";
import { findHookReads, type MemberRead } from "./hook-reads.js";

/** A call that takes the options of a query or a mutation, such as one of `useQuery`. */
export interface HookCall {
  readonly call: ts.CallExpression;
  readonly operation: Operation;
  /** The options that code adds. */
  readonly options: ts.ObjectLiteralExpression | undefined;
  /** Reads what a mutation is called with. Undefined if it is not understood. */
  readonly planVariables: (variables: ts.Expression | undefined) => RecordEdits | undefined;
}

/**
 * Reads what code does with the result of a hook, and with its errors.
 *
 * @returns what records the edits. Undefined if it is not understood
 */
export function planHook(hook: HookCall, { recorder, client }: ResultMigration): RecordEdits | undefined {
  const { call, operation, options, planVariables } = hook;
  // TanStack Query takes the type of a mutation's errors from the `onSettled` that goes.
  const isTyped = !call.expression.getText().endsWith("Mutation");
  const error: HookError = { body: client.errorBodyOf(operation), isTyped };
  const callbacks = options === undefined ? [] : planErrorCallbacks(options, error, recorder);
  // A call that is no hook returns the data, or changes the cache.
  const reads = /^use[A-Z]/.test(call.expression.getText().split(".").at(-1) ?? "")
    ? findHookReads(call, recorder)
    : [];
  if (callbacks === undefined || reads === undefined) return undefined;
  const plans = reads.map((each) => planRead(each));
  if (!plans.every((each) => each !== undefined)) return undefined;
  return () => {
    for (const each of [...callbacks, ...plans]) each();
  };

  function planRead({ member, node }: MemberRead): RecordEdits | undefined {
    if (member === "error" || member === "failureReason") return planErrorRead(node, error, recorder);
    if (member === "variables") return undefined;
    if (member !== "mutate" && member !== "mutateAsync") return () => undefined;
    const { parent } = node;
    if (!ts.isCallExpression(parent) || parent.expression !== node) return undefined;
    const [variables, more, ...rest] = parent.arguments;
    const added =
      more === undefined || !ts.isObjectLiteralExpression(more) ? undefined : planErrorCallbacks(more, error, recorder);
    if (rest.length > 0 || (more !== undefined && added === undefined)) return undefined;
    const sent = planVariables(variables);
    return sent && (() => [sent, ...(added ?? [])].forEach((each) => each()));
  }
}

/**
 * Prints a mutation that loads nothing again but what the code does, without the `onSettled` of the generated one.
 *
 * @param options the options that the code adds
 */
export function mutationProperties(
  mutation: string,
  options: ts.ObjectLiteralExpression | undefined,
): readonly string[] {
  const isOwn = options?.properties.some(({ name }) => name?.getText() === "onSettled") === true;
  return isOwn ? [`...${mutation}`] : [`...${mutation}`, "onSettled: undefined"];
}

/** The object that a call is spread in. */
export function spreadIn({ parent }: ts.CallExpression): ts.ObjectLiteralExpression | undefined {
  return ts.isSpreadAssignment(parent) ? parent.parent : undefined;
}

/** Reads a call that returns options, which are the first argument of another call, or a part of it. */
export function planOptionsUse(
  { call, ...hook }: Pick<HookCall, "call" | "operation" | "planVariables">,
  migration: ResultMigration,
): { readonly owner: ts.CallExpression; readonly record: RecordEdits } | undefined {
  const options = spreadIn(call);
  const argument = options ?? call;
  const owner = argument.parent;
  const isFirst = ts.isCallExpression(owner) && owner.arguments[0] === argument;
  if (!isFirst || owner.expression.getText() === "queryOptions") return undefined;
  const record = planHook({ ...hook, call: owner, options }, migration);
  return record && { owner, record };
}
