import type { ArtifactOptions } from "@plumbline/kit/codegen";
import { DiagnosticsError, type Operation, type ResourceReference } from "@plumbline/kit/model";

/** Returns the parameter of the enclosing object, inside which a reference has to be. */
export function enclosingParameter(
  { of }: ResourceReference,
  operation: Operation,
  { locate }: ArtifactOptions,
): string | undefined {
  if (of === undefined) return undefined;
  const parameter = operation.parameters.find(({ in: place, name }) => place === "path" && name === of.name);
  if (of.root === "request" && of.part === "path" && parameter?.reference !== undefined) return of.name;
  throw new DiagnosticsError([
    {
      code: "references/of",
      severity: "error",
      origin: locate(operation.origin),
      message: `${of.text} names no object that the path of ${operation.name} names.`,
      fix: "Write $request.path and a parameter that has an x-reference.",
    },
  ]);
}
