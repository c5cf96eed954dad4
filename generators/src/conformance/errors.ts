import type { Case } from "@plumbline/conformance-runtime";
import type { Context } from "./context.js";

export function errorCases(_context: Context): readonly Case[] {
  return [];
}
