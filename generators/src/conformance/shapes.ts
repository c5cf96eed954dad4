import type { Case } from "@plumbline/conformance-runtime";
import type { Context } from "./context.js";

export function shapeCases(_context: Context): readonly Case[] {
  return [];
}
