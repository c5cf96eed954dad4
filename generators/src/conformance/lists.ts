import type { Case } from "@plumbline/conformance-runtime";
import type { Context } from "./context.js";
import { filterCases } from "./filters.js";
import { pageCases } from "./pages.js";

/** Cases of pages and filters. */
export function listCases(context: Context): readonly Case[] {
  return [...pageCases(context), ...filterCases(context)];
}
