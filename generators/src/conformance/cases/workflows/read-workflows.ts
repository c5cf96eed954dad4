import path from "node:path";
import {
  type Api,
  type Workflow,
  DiagnosticsError,
  type SourceLocation,
  type SourceRef,
  type Diagnostic,
} from "@plumbline/kit/model";
import { buildWorkflows, type WorkflowNames, SpecNode, listFiles, readSource } from "@plumbline/kit/openapi";
import type { Scenario } from "../../context/settings.js";
import { readScenarios } from "./read-scenarios.js";

export interface WorkflowSource {
  /** Absolute path of the folder of the workflow files. */
  readonly folder: string;
  /** Absolute path of the description of the API. */
  readonly description: string;
  readonly controlsDescription: string | undefined;
  readonly api: Api;
  readonly controls: Api | undefined;
  readonly locate: (origin: SourceRef) => SourceLocation;
}

export interface WorkflowSet {
  readonly workflows: readonly Workflow[];
  readonly scenarios: Readonly<Record<string, Scenario>>;
}

/**
 * Reads the workflows in `*.arazzo.yaml`, and the scenarios in `scenarios.yaml`, which are functions.
 *
 * @throws DiagnosticsError for invalid files, for a `verifiedBy` without a workflow or scenario, and for a workflow without a purpose.
 */
export async function readWorkflows(files: WorkflowSource): Promise<WorkflowSet> {
  const { folder, description, controlsDescription, api, controls } = files;
  const diagnostics: Diagnostic[] = [];
  const names = await listFiles(folder);
  const rootOf = async (name: string): Promise<SpecNode> =>
    SpecNode.root(await readSource(path.join(folder, name), path.dirname(description)), {
      find: () => undefined,
      report: (diagnostic) => diagnostics.push(diagnostic),
    });
  const addressOf = (file: string): string => path.relative(folder, file).split(path.sep).join("/");
  const operationsOf = (each: Api): ReadonlySet<string> =>
    new Set([...each.operations, ...each.operationsWithoutPath].map(({ name }) => name));
  const scope: WorkflowNames = {
    descriptions: new Map([
      [addressOf(description), { isControl: false, operations: operationsOf(api) }],
      ...(controls === undefined || controlsDescription === undefined
        ? []
        : [[addressOf(controlsDescription), { isControl: true, operations: operationsOf(controls) }] as const]),
    ]),
    requirements: new Set(api.requirements.map(({ id }) => id)),
  };
  const workflows: Workflow[] = [];
  for (const name of names.filter((each) => /\.arazzo\.ya?ml$/.test(each)))
    workflows.push(...buildWorkflows(await rootOf(name), scope));
  const coded = names.includes("scenarios.yaml") ? readScenarios(await rootOf("scenarios.yaml"), api, scope) : {};
  diagnostics.push(...findUnverified(files, { workflows, scenarios: coded }));
  if (diagnostics.length > 0) throw new DiagnosticsError(diagnostics);
  return { workflows, scenarios: coded };
}

/** Finds proofs without a workflow, duplicate names, and workflows that verify nothing. */
function findUnverified(
  { api, locate, description }: WorkflowSource,
  { workflows, scenarios }: WorkflowSet,
): readonly Diagnostic[] {
  const proofs = new Map<string, SourceRef>();
  for (const operation of [...api.operations, ...api.operationsWithoutPath])
    for (const { verifiedBy, origin } of [...operation.effects, ...operation.errors])
      if (verifiedBy !== undefined && !proofs.has(verifiedBy)) proofs.set(verifiedBy, origin);
  const names = new Map<string, SourceRef>();
  const diagnostics: Diagnostic[] = [];
  const diagnostic = (code: string, origin: SourceRef, text: { message: string; fix: string }): void =>
    void diagnostics.push({ code, severity: "error", origin: locate(origin), ...text });
  for (const { id, origin, requirements, steps } of workflows) {
    if (names.has(id) || Object.hasOwn(scenarios, id))
      diagnostic("workflow/duplicate", origin, {
        message: `Two workflows or scenarios have the name ${id}.`,
        fix: "Rename one of them.",
      });
    names.set(id, origin);
    if (!proofs.has(id) && [...requirements, ...steps.flatMap((step) => step.requirements)].length === 0)
      diagnostic("workflow/no-assertions", origin, {
        message: `No \`verifiedBy\` refers to the workflow ${id}, and it has no requirement.`,
        fix: "Add an x-source, or remove the workflow.",
      });
  }
  for (const [proof, origin] of proofs)
    if (!names.has(proof) && !Object.hasOwn(scenarios, proof))
      diagnostic("workflow/missing", origin, {
        message: `There is no workflow and no scenario "${proof}".`,
        fix: `Write a workflow with workflowId: ${proof} beside ${path.basename(description)}, in the folder of the workflows.`,
      });
  return diagnostics;
}
