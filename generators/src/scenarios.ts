import type { Capability } from "@plumbline/conformance-runtime";
import type { Scenario } from "./conformance/settings.js";
import type { Api } from "./model/api.js";
import { requirementsOf, type Named } from "./model/workflows.js";
import type { Place } from "./spec/place.js";

/** Reads `scenarios.yaml`, which has an entry for each function: `NAME: {operation, title, needs, x-source, alone}`. */
export function buildScenarios(root: Place, api: Api, named: Named): Readonly<Record<string, Scenario>> {
  const operations = new Set([...api.operations, ...api.linked].map(({ name }) => name));
  return Object.fromEntries(
    root.entries().map(([name, place]) => {
      const operation = place.text("operation") ?? "";
      if (!operations.has(operation))
        place.report(
          "workflow/unknown",
          `The scenario ${name} has an unknown operation: "${operation}".`,
          "Set `operation` to an operationId of the description.",
        );
      const needs = (place.get("needs")?.items() ?? []).flatMap((each): Capability[] => {
        const found = capabilities.find((known) => known === each.raw);
        if (found !== undefined) return [found];
        each.report(
          "workflow/unknown",
          `"${String(each.raw)}" is not a valid value of \`needs\`.`,
          `Write one of: ${capabilities.join(", ")}.`,
        );
        return [];
      });
      const scenario: Scenario = {
        operation,
        title: place.text("title") ?? name,
        requirements: requirementsOf(place, named.requirements),
        needs,
        alone: place.flag("alone"),
      };
      return [name, scenario] as const;
    }),
  );
}

const capabilities = ["controls", "stranger", "users", "tokens", "clock", "listener"] as const;
