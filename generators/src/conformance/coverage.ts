import type { Case } from "@plumbline/conformance-runtime";
import type { Problem } from "../problem.js";
import { meansCase } from "./also.js";
import type { Context } from "./context.js";

/** What tests each requirement, by its id. */
export function checksOf(cases: readonly Case[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { id, requirements } of cases)
    for (const requirement of requirements) {
      const ids = found.get(requirement);
      if (ids === undefined) found.set(requirement, [id]);
      else ids.push(id);
    }
  return found;
}

/** Requirements that no case tests and that have no reason for it, and reasons for what is tested. */
export function coverageProblems(context: Context, cases: readonly Case[]): readonly Problem[] {
  const checks = checksOf(cases);
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
    return among.some(meansCase(id));
  };
  const gone = Object.entries(settings.also).flatMap(([requirement, named]) =>
    named.flatMap((id) => (isThere(id) ? [] : [{ requirement, id }])),
  );
  const dangling = gone.map(({ requirement, id }): Problem => ({
    code: "conformance/unknown",
    severity: "error",
    origin: options.locate(api.origin),
    message: `The settings say that "${id}" tests "${requirement}", and no case is called so.`,
    fix: "Name another; the command of the suite lists them.",
  }));
  if (untested === undefined) return dangling;
  return [
    ...dangling,
    ...api.requirements.flatMap((requirement): Problem[] => {
      const { id, statedAt } = requirement;
      const reason = untested[id];
      if ((reason === undefined) === checks.has(id)) return [];
      const settling = api.assumptions.find((each) => each.settles === id);
      const stated = statedAt[0] ?? settling?.origin;
      // What nobody states is told elsewhere.
      if (stated === undefined) return [];
      const origin = options.locate(stated);
      if (reason === undefined)
        return [
          {
            code: "conformance/untested",
            severity: "error",
            origin,
            message: `No case of the suite tests "${id}".`,
            fix: `Write a workflow that does, or untested: {${id}: why not} in the settings of the suite.`,
          },
        ];
      return [
        {
          code: "conformance/tested",
          severity: "error",
          origin,
          message: `The settings say that nothing tests "${id}", and ${checks.get(id)?.[0] ?? ""} does.`,
          fix: "Take the reason away.",
        },
      ];
    }),
  ];
}
