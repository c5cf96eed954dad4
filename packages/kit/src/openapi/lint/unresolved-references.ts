import type { NormalizedProblem } from "@redocly/openapi-core";
import type { Diagnostic } from "../../model/index.js";
import { createNodeContext } from "../read/load.js";
import { SpecNode, parsePointer } from "../read/spec-node.js";
import type { FileResolver } from "./resolver.js";

/**
 * Says which reference of a finding of Redocly does not resolve, and why, as the model says it. The errors of the file that it names follow.
 * A warning, if all else can be generated without what it refers to. Empty for a finding elsewhere.
 */
export function describeUnresolved(
  { location: [first] }: Pick<NormalizedProblem, "location">,
  { files, unreadable }: FileResolver,
): readonly Diagnostic[] {
  const file = first && files.get(first.source.absoluteRef);
  const tokens = parsePointer(first?.pointer?.replace(/^#/, "") ?? "") ?? [];
  if (file === undefined) return [];
  const diagnostics: Diagnostic[] = [];
  const context = createNodeContext({ files, unreadable, report: (diagnostic) => diagnostics.unshift(diagnostic) });
  const reportDangling = (diagnostic: Diagnostic): void =>
    void diagnostics.unshift({ ...diagnostic, severity: "warning" });
  let node = SpecNode.root(file, { ...context, reportDangling });
  for (const token of tokens) node = node.child(token) ?? node;
  node.follow();
  return diagnostics;
}
