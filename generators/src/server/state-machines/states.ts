import { type TextFile, isIdentifier, printSourceFile, type ArtifactOptions } from "@plumbline/kit/codegen";
import { createConstants, NamedChecks } from "@plumbline/kit/codegen/validation";
import { type Api, type StateMachine, isReservedWord, DiagnosticsError, type Diagnostic } from "@plumbline/kit/model";
import { emitStateMachine, stateMachineNames, type StateMachineNames } from "./state-machines.js";
import { emitStateRules } from "./state-rules.js";

/** Emits `states.ts`: the state machines, the state rules of operations, and the checks of their conditions. */
export function emitServerStates(api: Api, options: ArtifactOptions): readonly TextFile[] {
  const entries = api.stateMachines.map((stateMachine) => ({
    stateMachine,
    names: stateMachineNames(stateMachine, api),
  }));
  const diagnostics = findNameCollisions(entries, options);
  if (diagnostics.length > 0) throw new DiagnosticsError(diagnostics);
  const reservedNames = [...entries.flatMap(({ names }) => [names.constant, ...names.types]), "operationStates"];
  const checks = new NamedChecks(api);
  const pool = createConstants(api, reservedNames, options.locate);
  const context = checks.context(pool, "validated");
  const stateMachines = entries.flatMap(({ stateMachine, names }) =>
    emitStateMachine(stateMachine, names, { context, from: options.source(stateMachine.origin) }),
  );
  const rules = emitStateRules(api, context);
  return [
    {
      path: "src/gen/states.ts",
      text: printSourceFile([...checks.print(pool), ...stateMachines, rules], reservedNames),
    },
  ];
}

function findNameCollisions(
  entries: readonly { readonly stateMachine: StateMachine; readonly names: StateMachineNames }[],
  { locate }: ArtifactOptions,
): readonly Diagnostic[] {
  const used = new Set(["operationStates", "createServer", "errors", "limits", "filterable", "readList", "page"]); // other exports of the package
  return entries.flatMap(({ stateMachine, names: { constant, types } }) => {
    const names = [constant, ...types];
    const report = (what: string, message: string): Diagnostic => ({
      code: what,
      severity: "error",
      origin: locate(stateMachine.origin),
      message,
      fix: 'Add "x-name", or another one.',
    });
    const reserved = names.find((name) => !isIdentifier(name) || isReservedWord(name));
    const clash = names.find((name) => used.has(name));
    for (const name of names) used.add(name);
    if (reserved !== undefined) return [report("names/reserved", `A state machine cannot be called ${reserved}.`)];
    return clash === undefined
      ? []
      : [report("names/collision", `Another export of the server has the name ${clash}.`)];
  });
}
