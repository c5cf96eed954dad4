import type { Case } from "@plumbline/conformance-runtime";
import type { ConformanceContext } from "../../context/context.js";
import { filterCases } from "./filters.js";
import { pageCases } from "./pages.js";
import { queryFilterCases } from "./query-filters.js";

/** Cases of pages and filters. */
export function listCases(context: ConformanceContext): readonly Case[] {
  return [...pageCases(context), ...filterCases(context), ...queryFilterCases(context)];
}
