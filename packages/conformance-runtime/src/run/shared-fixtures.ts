import { SetupError } from "../errors.js";
import { appendExchanges } from "../http/exchange-log.js";
import type { Json, MakeStep } from "../suite.js";
import { isJsonObject, type JsonObject } from "../values/json.js";
import { evaluateOrNull, evaluateTemplate } from "../values/template.js";
import { resolveIdentity } from "./identities.js";
import { runFixture } from "./run-fixture.js";
import { createStepContext, type StepContext } from "./step-context.js";
import { createInWorkerScope } from "./worker-scope.js";

/** Creates an object by its fixture. Without `fresh` all cases of the worker share it. */
export async function provideFixture(made: MakeStep, outer: StepContext): Promise<Json> {
  const { also: _also, ...step } = made;
  const context = createStepContext(outer, { isFull: outer.isFull && step.bare !== true });
  const also = addedFields(made, context);
  const { acceptedFields } = context.caseContext.worker.frame;
  const key = JSON.stringify([step.make, Object.keys(also)]);
  const known = Object.keys(also).length === 0 ? [] : acceptedFields.get(key);
  if (known?.length === 0) return provideObject(step, context);
  const names = known ?? Object.keys(also);
  const object = await provideWith(names, { also, step, context });
  if (object !== undefined) {
    acceptedFields.set(key, names);
    return object;
  }
  const accepted = known === undefined ? await findAccepted(names, [], { also, step, context }) : [];
  acceptedFields.set(key, accepted);
  return (await provideWith(accepted, { also, step, context })) ?? provideObject(step, context);
}

/** The values of the fields to add. A field that another object does not have has none. */
function addedFields(
  { make, also = {}, with: sent }: MakeStep,
  { caseContext, isFull, values }: StepContext,
): JsonObject {
  const { fields = {} } = caseContext.run.suite.frame ?? {};
  const resource = make.split("@")[0] ?? "";
  const full = Object.entries((isFull ? fields[resource] : undefined) ?? {});
  const isSent = (name: string): boolean => isJsonObject(sent) && Object.hasOwn(sent, name);
  return Object.fromEntries(
    [...full.filter(([name]) => !isSent(name)), ...Object.entries(also)].flatMap(([name, template]) => {
      const value = evaluateOrNull(template, values);
      return value === null ? [] : [[name, value] as const];
    }),
  );
}

interface Addition {
  readonly also: JsonObject;
  readonly step: MakeStep;
  readonly context: StepContext;
}

/** The object with these fields. Undefined if the server rejects them. */
async function provideWith(names: readonly string[], { also, step, context }: Addition): Promise<Json | undefined> {
  const fields = Object.fromEntries(Object.entries(also).filter(([name]) => names.includes(name)));
  try {
    return await provideObject({ ...step, with: { $merge: [step.with ?? {}, fields] } }, context);
  } catch (error) {
    if (error instanceof SetupError) return undefined;
    throw error;
  }
}

/** The fields that the server accepts beside others, searched by halves. */
async function findAccepted(
  names: readonly string[],
  beside: readonly string[],
  addition: Addition,
): Promise<readonly string[]> {
  if (names.length === 0) return beside;
  const middle = Math.ceil(names.length / 2);
  let accepted = beside;
  for (const half of names.length === 1 ? [] : [names.slice(0, middle), names.slice(middle)]) {
    const isAccepted = (await provideWith([...accepted, ...half], addition)) !== undefined;
    accepted = isAccepted ? [...accepted, ...half] : await findAccepted(half, accepted, addition);
  }
  return accepted;
}

async function provideObject(step: MakeStep, context: StepContext): Promise<Json> {
  const { run, worker, log } = context.caseContext;
  const fixture = run.suite.fixtures[step.make];
  if (fixture === undefined) throw new Error(`Missing fixture ${step.make}. Add it under "fixtures".`);
  const missing = fixture.requires.filter((need) => !run.capabilities.has(need));
  if (missing.length > 0) throw requireCapabilities(step.make, missing);
  const caller = await resolveIdentity(step.by, context);
  const parents = Object.entries(step.of ?? {}).map(
    ([name, each]) => [name, evaluateTemplate(each, context.values)] as const,
  );
  const inputs = { ...Object.fromEntries(parents), with: evaluateTemplate(step.with ?? {}, context.values) };
  if (step.fresh === true) return runFixture(fixture, inputs, createStepContext(context, { caller }));

  const { sharedFixtures } = worker;
  const key = JSON.stringify([step.make, inputs, caller.token, context.isFull, step.copy]);
  const cached = sharedFixtures.get(key);
  if (cached !== undefined) {
    appendExchanges(log, cached.log);
    return cached.value;
  }
  const created = await createInWorkerScope(context, (shared) =>
    runFixture(fixture, inputs, createStepContext(shared, { caller })),
  );
  sharedFixtures.set(key, created);
  return created.value;
}

function requireCapabilities(name: string, missing: readonly string[]): SetupError {
  const message = `${name} cannot be created without ${missing.join(" and ")}.`;
  return new SetupError([{ message, expected: missing.join(", "), received: "none", requirements: [] }]);
}
