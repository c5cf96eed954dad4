import type { Case } from "@plumbline/conformance-runtime";
import type { Diagnostic } from "@plumbline/kit/model";
import { matchesCaseId } from "./context/extra-requirements.js";
import type { ConformanceContext } from "./context/context.js";
import { casesByRequirement } from "./suite-outline.js";

/** Reports requirements with neither a case nor a reason, and reasons for tested requirements. */
export function coverageDiagnostics(context: ConformanceContext, cases: readonly Case[]): readonly Diagnostic[] {
  const checks = casesByRequirement(cases);
  const { api, settings, options } = context;
  const { untested } = settings;
  const known = new Set(cases.map(({ id }) => id));
  const near = new Map<string, (readonly string[])[]>();
  for (const id of known) {
    const parts = id.split("/");
    const place = parts.slice(0, 2).join("/");
    const beside = near.get(place);
    if (beside === undefined) near.set(place, [parts]);
    else beside.push(parts);
  }
  const isThere = (id: string): boolean => {
    if (!id.includes("*")) return known.has(id);
    const place = id.split("/").slice(0, 2).join("/");
    const among = place.includes("*") ? [...near.values()].flat() : (near.get(place) ?? []);
    return among.some(matchesCaseId(id));
  };
  const gone = Object.entries(settings.also).flatMap(([requirement, named]) =>
    named.flatMap((id) => (isThere(id) ? [] : [{ requirement, id }])),
  );
  const dangling = gone.map(({ requirement, id }): Diagnostic => ({
    code: "conformance/unknown",
    severity: "error",
    origin: options.locate(api.origin),
    message: `The settings assign "${requirement}" to the unknown case "${id}".`,
    fix: "Use a known id; the suite's command `list` prints them.",
  }));
  if (untested === undefined) return dangling;
  return [
    ...dangling,
    ...api.requirements.flatMap((requirement): Diagnostic[] => {
      const { id, statedAt } = requirement;
      const reason = untested[id];
      if ((reason === undefined) === checks.has(id)) return [];
      const settling = api.assumptions.find((each) => each.settles === id);
      const stated = statedAt[0] ?? settling?.origin;
      // A requirement without a statement is reported elsewhere.
      if (stated === undefined) return [];
      const origin = options.locate(stated);
      if (reason === undefined)
        return [
          {
            code: "conformance/untested",
            severity: "error",
            origin,
            message: `No case of the suite tests "${id}".`,
            fix: `Add a workflow that tests it, or untested: {${id}: REASON} to the settings of the suite.`,
          },
        ];
      return [
        {
          code: "conformance/unused-exemption",
          severity: "error",
          origin,
          message: `The settings list "${id}" as untested, but ${checks.get(id)?.[0] ?? ""} tests it.`,
          fix: "Remove the reason.",
        },
      ];
    }),
  ];
}
