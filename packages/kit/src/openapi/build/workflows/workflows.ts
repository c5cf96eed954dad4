import type { WorkflowInput, Workflow } from "../../../model/index.js";
import type { SpecNode } from "../../read/spec-node.js";
import { readWorkflowRequirements, type WorkflowNames } from "./workflow-names.js";
import { readWorkflowSteps } from "./workflow-steps.js";

/** Reads the workflows of an Arazzo description. Reports problems at their nodes. */
export function buildWorkflows(root: SpecNode, names: WorkflowNames): readonly Workflow[] {
  const version = root.text("arazzo") ?? "";
  if (!/^1\.0\.\d+$/.test(version)) {
    root.report("workflow/schema", "This is not an Arazzo 1.0 description.", "Begin it with arazzo: 1.0.1.");
    return [];
  }
  const sources = readSourceDescriptions(root, names);
  const ids = new Set<string>();
  return (root.get("workflows")?.items() ?? []).flatMap((place): Workflow[] => {
    const id = place.text("workflowId") ?? "";
    if (!/^[a-z][a-z0-9-]*$/.test(id))
      place.report(
        "workflow/schema",
        `"${id}" is not a valid name of a workflow.`,
        "Write small letters, digits and hyphens.",
      );
    if (ids.has(id))
      place.report("workflow/duplicate", `Two workflows are called ${id}.`, "Give one of them another name.");
    ids.add(id);
    return [readWorkflow(place, { id, root, names, sources })];
  });
}

/** Returns the descriptions of a file by the names that it gives them. */
function readSourceDescriptions(root: SpecNode, names: WorkflowNames): WorkflowNames["descriptions"] {
  const sources = new Map<string, { readonly isControl: boolean; readonly operations: ReadonlySet<string> }>();
  for (const place of root.get("sourceDescriptions")?.items() ?? []) {
    const description = names.descriptions.get(place.text("url") ?? "");
    if (description === undefined)
      place.report(
        "workflow/unknown",
        `"${place.text("url") ?? ""}" is neither the description nor that of the test controls.`,
        `Write one of: ${[...names.descriptions.keys()].join(", ")}.`,
      );
    else sources.set(place.text("name") ?? "", description);
  }
  return sources;
}

interface WorkflowContext {
  readonly id: string;
  readonly root: SpecNode;
  readonly names: WorkflowNames;
  readonly sources: WorkflowNames["descriptions"];
}

function readWorkflow(place: SpecNode, { id, root, names, sources }: WorkflowContext): Workflow {
  const operation = place.text("x-operation") ?? "";
  const tested = [...sources.values()].find((each) => !each.isControl);
  if (tested?.operations.has(operation) !== true)
    place.report(
      "workflow/unknown",
      `The workflow ${id} says of no operation that it is about it: "${operation}".`,
      "Write x-operation, an operationId of the description.",
    );
  const inputs = readWorkflowInputs(place);
  return {
    id,
    summary: place.text("summary") ?? id,
    operation,
    requirements: readWorkflowRequirements(place, names.requirements),
    inputs,
    steps: readWorkflowSteps(place, { root, inputs, sources, requirements: names.requirements }),
    exclusive: place.isTrue("x-exclusive"),
    origin: place.origin,
  };
}

/** Reads the inputs. Each needs a known kind, because the suite supplies their values. */
function readWorkflowInputs(place: SpecNode): readonly WorkflowInput[] {
  const schema = place.get("inputs");
  const extension = place.get("x-inputs");
  const names = (schema?.get("properties")?.entries() ?? []).map(([name]) => name);
  for (const [name, each] of extension?.entries() ?? [])
    if (!names.includes(name))
      each.report("workflow/input", `"${name}" is not an input of this workflow.`, `Its inputs: ${names.join(", ")}.`);
  return names.flatMap((name): WorkflowInput[] => {
    const how = extension?.get(name);
    const caller = how?.text("caller") ?? (name === "token" ? "main" : undefined);
    const unique = how?.text("unique");
    const time = how?.text("time");
    if (caller === "main" || caller === "user" || caller === "other-account") return [{ name, caller }];
    if (unique !== undefined && uniqueKinds.includes(unique)) return [{ name, unique }];
    if (time !== undefined && /^-?P[0-9TYMWDHS.]+$/.test(time)) return [{ name, time }];
    (how ?? schema ?? place).report(
      "workflow/input",
      `Nothing says what the input "${name}" is.`,
      `Write x-inputs: {${name}: …}, with caller: main, user or other-account; unique: ${uniqueKinds.join(", ")}; or time: PT1H.`,
    );
    return [];
  });
}

const uniqueKinds: readonly string[] = ["label", "domain", "number", "username", "ssh-key", "phone"];
