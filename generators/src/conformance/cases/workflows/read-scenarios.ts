import type { Capability } from "@plumbline/conformance-runtime";
import type { Api } from "@plumbline/kit/model";
import { readWorkflowRequirements, type WorkflowNames, type SpecNode } from "@plumbline/kit/openapi";
import type { Scenario } from "../../context/settings.js";

/** Reads `scenarios.yaml`, which has an entry for each function: `NAME: {operation, title, requires, x-source, exclusive}`. */
export function readScenarios(root: SpecNode, api: Api, names: WorkflowNames): Readonly<Record<string, Scenario>> {
  const operations = new Set([...api.operations, ...api.operationsWithoutPath].map(({ name }) => name));
  return Object.fromEntries(
    root.entries().map(([name, place]) => {
      const operation = place.text("operation") ?? "";
      if (!operations.has(operation))
        place.report(
          "workflow/unknown",
          `The scenario ${name} has an unknown operation: "${operation}".`,
          "Set `operation` to an operationId of the description.",
        );
      const requirements = (place.get("requires")?.items() ?? []).flatMap((each): Capability[] => {
        const match = capabilities.find((capability) => capability === each.raw);
        if (match !== undefined) return [match];
        each.report(
          "workflow/unknown",
          `"${String(each.raw)}" is not a valid value of \`requires\`.`,
          `Write one of: ${capabilities.join(", ")}.`,
        );
        return [];
      });
      const scenario: Scenario = {
        operation,
        title: place.text("title") ?? name,
        requirements: readWorkflowRequirements(place, names.requirements),
        requires: requirements,
        exclusive: place.isTrue("exclusive"),
      };
      return [name, scenario] as const;
    }),
  );
}

/** The values of `requires`. */
const capabilities: readonly Capability[] = ["controls", "other-account", "users", "tokens", "clock", "listener"];
