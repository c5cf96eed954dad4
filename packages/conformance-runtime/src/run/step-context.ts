import type { Identity } from "../http/identity.js";
import type { Json, Step } from "../suite.js";
import type { TemplateValues } from "../values/template.js";
import type { CaseContext } from "./case-context.js";

/** The scope of a step: what earlier steps have learnt, and how this one is performed. */
export interface StepContext {
  readonly caseContext: CaseContext;
  /** Values that steps have bound to names. */
  readonly variables: Map<string, Json>;
  /** The values that templates read: variables, unique values, the server's time. */
  readonly values: TemplateValues;
  readonly caller: Identity;
  /** True for a step that prepares the case: its failure means that the case could not run. */
  readonly isSetup: boolean;
  /** True where objects get values in their optional fields. */
  readonly isFull: boolean;
  /** Passed along, since steps run fixtures, and fixtures perform steps. */
  readonly performStep: (step: Step, context: StepContext) => Promise<Json>;
}

/** Creates a scope with changes. With new `variables` its names are separate. */
export function createStepContext(
  context: Omit<StepContext, "values">,
  changes: Partial<Omit<StepContext, "values">> = {},
): StepContext {
  const changed = { ...context, ...changes };
  const { variables, caseContext } = changed;
  return { ...changed, values: templateValues(variables, caseContext) };
}

function templateValues(variables: ReadonlyMap<string, Json>, { run, unique }: CaseContext): TemplateValues {
  return {
    get: (name) => variables.get(name),
    unique,
    now: () => run.clock.now(),
    matches: (schema, value) => run.schemas.matches(schema as boolean, value),
  };
}
