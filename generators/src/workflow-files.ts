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
  /** Absolute path of the folder that has the files. */
  readonly folder: string;
  /** Absolute paths of what they are about. */
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
 * Reads `*.arazzo.yaml`, and `scenarios.yaml`, which names what takes a function. Throws a ProblemError for what is wrong with them, for a
 * proof that none of them is, and for one that proves nothing.
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

/** Proofs that nothing is, stories under one name, and such that prove nothing. */
function unproven({ api, locate, description }: WorkflowFiles, { workflows, scenarios }: Stories): readonly Problem[] {
  const proofs = new Map<string, Origin>();
  for (const operation of [...api.operations, ...api.linked])
    for (const { proof, origin } of [...operation.effects, ...operation.failures])
      if (proof !== undefined && !proofs.has(proof)) proofs.set(proof, origin);
  const told = new Map<string, Origin>();
  const problems: Problem[] = [];
  const problem = (code: string, origin: Origin, text: { message: string; fix: string }): void =>
    void problems.push({ code, severity: "error", origin: locate(origin), ...text });
  for (const { id, origin, requirements, steps } of workflows) {
    if (told.has(id) || Object.hasOwn(scenarios, id))
      problem("workflow/duplicate", origin, {
        message: `There are two stories called ${id}.`,
        fix: "Give one of them another name.",
      });
    told.set(id, origin);
    if (!proofs.has(id) && [...requirements, ...steps.flatMap((step) => step.requirements)].length === 0)
      problem("workflow/idle", origin, {
        message: `The workflow ${id} is nobody's proof, and names no requirement.`,
        fix: "Add the x-source that it shows, or take it away.",
      });
  }
  for (const [proof, origin] of proofs)
    if (!told.has(proof) && !Object.hasOwn(scenarios, proof))
      problem("workflow/missing", origin, {
        message: `There is neither a workflow nor a scenario "${proof}".`,
        fix: `Write a workflow with workflowId: ${proof} beside ${path.basename(description)}, in the folder of the workflows.`,
      });
  return problems;
}
