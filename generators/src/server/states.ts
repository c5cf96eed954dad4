import { banner } from "../emit/banner.js";
import type { TextFile } from "../emit/files.js";
import { isIdentifier, print } from "../emit/printer.js";
import type { ArtifactOptions } from "../generator.js";
import { NamedChecks } from "../judging/checks.js";
import { Pool } from "../judging/checks/pool.js";
import type { Api, StateMachine } from "../model/api.js";
import { isReserved } from "../model/names.js";
import { ProblemError, type Problem } from "../problem.js";
import { emitMachine, machineNames } from "./machines.js";
import { emitStateRules } from "./state-rules.js";

/** Emits `states.ts`: the state machines, the state rules of operations, and the checks of their conditions. */
export function emitStates(api: Api, options: ArtifactOptions): readonly TextFile[] {
  const problems = clashes(api.machines, options);
  if (problems.length > 0) throw new ProblemError(problems);
  const own = [...api.machines.flatMap(machineNames), "operationStates"];
  const checks = new NamedChecks(api);
  const pool = new Pool([...own, ...api.shapes.map((shape) => shape.name)], options.locate);
  const around = checks.around(pool, "judged");
  const machines = api.machines.flatMap((each) => emitMachine(each, around, options.source(each.origin)));
  const rules = emitStateRules(api, around);
  return [{ path: "src/gen/states.ts", text: print([...checks.print(pool), ...machines, rules], banner, own) }];
}

function clashes(machines: readonly StateMachine[], { locate }: ArtifactOptions): readonly Problem[] {
  const taken = new Set(["operationStates", "createServer", "errors", "limits", "filterable", "page"]); // other exports of the package
  return machines.flatMap((each) => {
    const names = machineNames(each);
    const origin = locate(each.origin);
    const report = (what: string, message: string): Problem => ({
      code: what,
      severity: "error",
      origin,
      message,
      fix: 'Add "x-name", or another one.',
    });
    const reserved = names.find((own) => !isIdentifier(own) || isReserved(own));
    const clash = names.find((own) => taken.has(own));
    for (const own of names) taken.add(own);
    if (reserved !== undefined) return [report("names/reserved", `A state machine cannot be called ${reserved}.`)];
    return clash === undefined
      ? []
      : [report("names/collision", `Another export of the server has the name ${clash}.`)];
  });
}
