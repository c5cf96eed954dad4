import type { Capability } from "@plumbline/conformance-runtime";
import type { Scenario } from "./conformance/settings.js";
import type { Api } from "./model/api.js";
import { readWorkflowRequirements, type WorkflowNames } from "./model/workflows.js";
import type { SpecNode } from "./spec/spec-node.js";

/** Reads `scenarios.yaml`, which has an entry for each function: `NAME: {operation, title, needs, x-source, alone}`. */
export function readScenarios(root: SpecNode, api: Api, named: WorkflowNames): Readonly<Record<string, Scenario>> {
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
      const needs = (place.get("needs")?.items() ?? []).flatMap((each): Capability[] => {
        const found = capabilities.get(String(each.raw));
        if (found !== undefined) return [found];
        each.report(
          "workflow/unknown",
          `"${String(each.raw)}" is not a valid value of \`needs\`.`,
          `Write one of: ${[...capabilities.keys()].join(", ")}.`,
        );
        return [];
      });
      const scenario: Scenario = {
        operation,
        title: place.text("title") ?? name,
        requirements: readWorkflowRequirements(place, named.requirements),
        requires: needs,
        exclusive: place.isTrue("alone"),
      };
      return [name, scenario] as const;
    }),
  );
}

/** The values of `needs`, each with the capability that it stands for. */
const capabilities: ReadonlyMap<string, Capability> = new Map([
  ["controls", "controls"],
  ["stranger", "other-account"],
  ["users", "users"],
  ["tokens", "tokens"],
  ["clock", "clock"],
  ["listener", "listener"],
]);
