import type { Case } from "@plumbline/conformance-runtime";
import type { Diagnostic } from "@plumbline/kit/model";
import type { ConformanceContext } from "./context/context.js";
import { matchesCaseId } from "./context/extra-requirements.js";
import { casesByRequirement } from "./suite-outline.js";

/** Reports requirements with neither a case nor a reason, and reasons for tested requirements. */
export function coverageDiagnostics(context: ConformanceContext, cases: readonly Case[]): readonly Diagnostic[] {
  return [...unknownCases(context, cases), ...exemptionDiagnostics(context, casesByRequirement(cases))];
}

/** Ids of the settings that no case has. */
function unknownCases({ api, settings, options }: ConformanceContext, cases: readonly Case[]): readonly Diagnostic[] {
  const isKnown = createCaseIndex(cases);
  return Object.entries(settings.also).flatMap(([requirement, ids]) =>
    ids
      .filter((id) => !isKnown(id))
      .map((id) => ({
        code: "conformance/unknown",
        severity: "error",
        origin: options.locate(api.origin),
        message: `The settings assign "${requirement}" to the unknown case "${id}".`,
        fix: "Use a known id; the suite's command `list` prints them.",
      })),
  );
}

/** Finds ids, which may have asterisks, among those of the same operation. */
function createCaseIndex(cases: readonly Case[]): (id: string) => boolean {
  const operationOf = (id: string): string => id.split("/").slice(0, 2).join("/");
  const ids = new Set(cases.map(({ id }) => id));
  const byOperation = new Map<string, (readonly string[])[]>();
  for (const id of ids) {
    const parts = id.split("/");
    const ofOperation = byOperation.get(operationOf(id));
    if (ofOperation === undefined) byOperation.set(operationOf(id), [parts]);
    else ofOperation.push(parts);
  }
  return (id) => {
    if (!id.includes("*")) return ids.has(id);
    const operation = operationOf(id);
    const candidates = operation.includes("*") ? [...byOperation.values()].flat() : (byOperation.get(operation) ?? []);
    return candidates.some(matchesCaseId(id));
  };
}

function exemptionDiagnostics(
  { api, settings: { untested }, options }: ConformanceContext,
  checks: ReturnType<typeof casesByRequirement>,
): readonly Diagnostic[] {
  if (untested === undefined) return [];
  const originsOfAssumptions = new Map(api.assumptions.map(({ settles, statedAt: [first] }) => [settles, first]));
  return api.requirements.flatMap(({ id, statedAt }): readonly Diagnostic[] => {
    const hasNoReason = untested[id] === undefined;
    const stated = statedAt[0] ?? originsOfAssumptions.get(id);
    // A requirement without a statement is reported elsewhere.
    if (hasNoReason === checks.has(id) || stated === undefined) return [];
    const location = { severity: "error", origin: options.locate(stated) } as const;
    if (hasNoReason)
      return [
        {
          ...location,
          code: "conformance/untested",
          message: `No case of the suite tests "${id}".`,
          fix: `Add a workflow that tests it, or untested: {${id}: REASON} to the settings of the suite.`,
        },
      ];
    return [
      {
        ...location,
        code: "conformance/unused-exemption",
        message: `The settings list "${id}" as untested, but ${checks.get(id)?.[0] ?? ""} tests it.`,
        fix: "Remove the reason.",
      },
    ];
  });
}
