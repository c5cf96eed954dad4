import path from "node:path";
import type { Scenario } from "./conformance/settings.js";
import type { Api } from "./model/api.js";
import type { Workflow } from "./model/workflow.js";
import { buildWorkflows, type Named } from "./model/workflows.js";
import { ProblemError, type Located, type Origin, type Problem } from "./problem.js";
import { buildScenarios } from "./scenarios.js";
import { Place } from "./spec/place.js";
import { filesIn, readSource } from "./spec/source.js";

export interface WorkflowFiles {
  /** Absolute path of the folder of the workflow files. */
  readonly folder: string;
  /** Absolute path of the description of the API. */
  readonly description: string;
  readonly controlsDescription: string | undefined;
  readonly api: Api;
  readonly controls: Api | undefined;
  readonly locate: (origin: Origin) => Located;
}

export interface Stories {
  readonly workflows: readonly Workflow[];
  readonly scenarios: Readonly<Record<string, Scenario>>;
}

/**
 * Reads the workflows in `*.arazzo.yaml`, and the scenarios in `scenarios.yaml`, which are functions.
 *
 * @throws ProblemError for invalid files, for a `proof` without a workflow or scenario, and for a workflow without a purpose.
 */
export async function readStories(files: WorkflowFiles): Promise<Stories> {
  const { folder, description, controlsDescription, api, controls } = files;
  const problems: Problem[] = [];
  const names = await filesIn(folder);
  const rootOf = async (name: string): Promise<Place> =>
    Place.root(await readSource(path.join(folder, name), path.dirname(description)), {
      find: () => undefined,
      report: (problem) => problems.push(problem),
    });
  const addressOf = (file: string): string => path.relative(folder, file).split(path.sep).join("/");
  const operationsOf = (each: Api): ReadonlySet<string> =>
    new Set([...each.operations, ...each.linked].map(({ name }) => name));
  const named: Named = {
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
    workflows.push(...buildWorkflows(await rootOf(name), named));
  const coded = names.includes("scenarios.yaml") ? buildScenarios(await rootOf("scenarios.yaml"), api, named) : {};
  problems.push(...unproven(files, { workflows, scenarios: coded }));
  if (problems.length > 0) throw new ProblemError(problems);
  return { workflows, scenarios: coded };
}

/** Finds proofs without a workflow, duplicate names, and workflows that verify nothing. */
function unproven({ api, locate, description }: WorkflowFiles, { workflows, scenarios }: Stories): readonly Problem[] {
  const proofs = new Map<string, Origin>();
  for (const operation of [...api.operations, ...api.linked])
    for (const { proof, origin } of [...operation.effects, ...operation.failures])
      if (proof !== undefined && !proofs.has(proof)) proofs.set(proof, origin);
  const names = new Map<string, Origin>();
  const problems: Problem[] = [];
  const problem = (code: string, origin: Origin, text: { message: string; fix: string }): void =>
    void problems.push({ code, severity: "error", origin: locate(origin), ...text });
  for (const { id, origin, requirements, steps } of workflows) {
    if (names.has(id) || Object.hasOwn(scenarios, id))
      problem("workflow/duplicate", origin, {
        message: `Two workflows or scenarios have the name ${id}.`,
        fix: "Rename one of them.",
      });
    names.set(id, origin);
    if (!proofs.has(id) && [...requirements, ...steps.flatMap((step) => step.requirements)].length === 0)
      problem("workflow/idle", origin, {
        message: `The workflow ${id} is not a \`proof\` of anything, and has no requirement.`,
        fix: "Add an x-source, or remove the workflow.",
      });
  }
  for (const [proof, origin] of proofs)
    if (!names.has(proof) && !Object.hasOwn(scenarios, proof))
      problem("workflow/missing", origin, {
        message: `There is no workflow and no scenario "${proof}".`,
        fix: `Write a workflow with workflowId: ${proof} beside ${path.basename(description)}, in the folder of the workflows.`,
      });
  return problems;
}
