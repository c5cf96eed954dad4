import { randomInt } from "node:crypto";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { isRecord } from "../json.js";
import { confirmArgument } from "../tools/describe-tool.js";
import type { ToolData } from "../toolset.js";
import { errorResult, textResult } from "./format-result.js";

/** Asks the user whether to go on. Undefined if the client cannot ask. */
export type UserPrompt = (message: string) => Promise<boolean>;

/** Confirms calls that delete something. Returns a result instead of the call's where it is not confirmed. */
export type Confirmation = (
  tool: ToolData,
  args: Readonly<Record<string, unknown>>,
  prompt: UserPrompt | undefined,
) => Promise<CallToolResult | undefined>;

const codeLifetimeMs = 5 * 60_000;
const maxCodes = 100;

/**
 * Creates the confirmation of one session. It asks the user through the client. Where the client cannot ask, the first call returns a code, and only a
 * second one with the same arguments and the code is confirmed. A code is valid once, for five minutes.
 */
export function createConfirmation(now: () => number = Date.now): Confirmation {
  const codes = new Map<string, { readonly call: string; readonly until: number }>();
  return async (tool, args, prompt) => {
    const { [confirmArgument]: code, ...rest } = args;
    const call = `${tool.name} ${JSON.stringify(sortKeys(rest))}`;
    if (prompt !== undefined) {
      // A user who does not respond in time has not agreed.
      const agrees = await prompt(`${tool.title}? ${describeArguments(rest)}`).catch(() => false);
      if (agrees) return undefined;
      return errorResult(`The user has not agreed. ${tool.name} was not called; do not repeat the call.`);
    }
    if (typeof code === "string") {
      const pending = codes.get(code);
      codes.delete(code);
      if (pending !== undefined && pending.call === call && pending.until > now()) return undefined;
      return errorResult(
        `The code does not belong to this call, or is older than five minutes. Nothing was done. Call ${tool.name} without \`${confirmArgument}\` for a new one.`,
      );
    }
    let created = createCode();
    while (codes.has(created)) created = createCode(); // it would replace the code of another call
    codes.set(created, { call, until: now() + codeLifetimeMs });
    for (const oldest of codes.keys()) if (codes.size > maxCodes) codes.delete(oldest);
    return textResult(
      `Nothing was done yet: ${tool.name} deletes something that cannot be restored. ${describeArguments(rest)}\n` +
        `Ask the user. If the user agrees, repeat the call with \`${confirmArgument}: "${created}"\`.`,
    );
  };
}

/** Six digits: a model repeats them without an error. */
function createCode(): string {
  return String(randomInt(100_000, 1_000_000));
}

function describeArguments(args: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(args);
  return text === "{}" ? "" : `Arguments: ${text.length > 500 ? `${text.slice(0, 500)}…` : text}`;
}

/** Models may repeat arguments in another order. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sortKeys(each)]));
}
