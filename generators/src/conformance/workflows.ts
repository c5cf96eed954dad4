import type { Case } from "@plumbline/conformance-runtime";
import type { Context } from "./context.js";

export function workflowCases(_context: Context): readonly Case[] {
  return [];
}
