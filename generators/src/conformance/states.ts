import type { Case } from "@plumbline/conformance-runtime";
import type { Context } from "./context.js";

export function stateCases(_context: Context): readonly Case[] {
  return [];
}
