import type { Api } from "@plumbline/kit/model";
import { accessMutants } from "./kinds/access.js";
import { effectMutants } from "./kinds/effects.js";
import { frameMutants } from "./kinds/frame.js";
import { stateMutants } from "./kinds/lifecycle.js";
import { limitMutants } from "./kinds/limits.js";
import { listFieldMutants, listMutants } from "./kinds/lists.js";
import { operationMutants, errorMutants, responseStatementMutants } from "./kinds/operations.js";
import { referenceMutants } from "./kinds/references.js";
import { requestMutants } from "./kinds/request-values.js";
import { responseMutants } from "./kinds/response-values.js";
import { writtenValueMutants } from "./kinds/written-values.js";
import { mutantKinds, type Mutant } from "./mutant.js";
import { hashOf } from "./random.js";
import { hasRequirements, schemaStatements } from "./statements.js";

/** All mutants of a description. The seed chooses the operations of statements that apply to several. */
export function createMutants(api: Api, seed: number): readonly Mutant[] {
  const ofSchemas = schemaStatements(api).flatMap((statement) => [
    ...responseMutants(statement),
    ...requestMutants(statement, seed),
    ...writtenValueMutants(api, statement, seed),
    ...listFieldMutants(statement, seed),
    ...referenceMutants(api, statement, seed),
  ]);
  const ofOperations = api.operations.flatMap((operation) => operationMutants(api, operation));
  const ofErrors = api.errors.flatMap((error) => errorMutants(api, { error, operations: api.operations }));
  const others = [
    ...responseStatementMutants(api),
    ...accessMutants(api),
    ...listMutants(api),
    ...limitMutants(api),
    ...stateMutants(api, seed),
    ...effectMutants(api),
    ...frameMutants(api, seed),
  ];
  const all = [...ofSchemas, ...ofOperations, ...ofErrors, ...others];
  const byId = new Map(all.map((mutant) => [mutant.id, mutant]));
  return [...byId.values()].filter(({ requirements }) => !hasRequirements(api) || requirements.length > 0);
}

/** A sample spread over the kinds, chosen by a seed. */
export function sampleMutants(
  mutants: readonly Mutant[],
  { limit, seed }: { readonly limit: number; readonly seed: number },
): readonly Mutant[] {
  const queues = mutantKinds.map((kind) =>
    mutants.filter((each) => each.kind === kind).toSorted((a, b) => hashOf(seed, a.id) - hashOf(seed, b.id)),
  );
  const chosen: Mutant[] = [];
  for (let round = 0; chosen.length < Math.min(limit, mutants.length); round += 1)
    for (const queue of queues) {
      const each = queue[round];
      if (each !== undefined && chosen.length < limit) chosen.push(each);
    }
  return chosen;
}
