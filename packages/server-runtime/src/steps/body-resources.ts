import { isValid, reasonOf } from "@plumbline/http-runtime";
import { loadHidingGrants } from "../access/caller-grants.js";
import { isHidden, type HidingGrants } from "../access/hidden-resources.js";
import type { OperationErrors } from "../errors/operation-errors.js";
import { isPromiseLike } from "../handlers.js";
import type { OperationPlan, PlannedReference } from "../operation-plan.js";
import type { RequestEvaluation } from "../request/request-evaluation.js";
import { findBodyReferences, type ReferencedId } from "../resources/body-references.js";
import { isInScope } from "../resources/reference-scope.js";
import type { BodyRows } from "../resources/resource-cache.js";
import type { ResourceRegistry } from "../resources/resources.js";
import type { StepFactory } from "./step.js";

/** Looks up the resources that the body references, with one query for each kind. Reports one error, with all locations that it concerns. */
export const lookupBody: StepFactory = (plan, { definition, options, registry }, errors) => {
  const { bodyReferences } = plan;
  const { referenceLimit = defaultReferenceLimit } = options;
  if (bodyReferences.length === 0) return undefined;
  return async (evaluation) => {
    const { refs } = evaluation;
    const found = bodyReferences.map(({ pointer }) => findBodyReferences(evaluation.body, pointer, referenceLimit));
    assertReferenceLimit(found, referenceLimit, { plan, errors });
    await loadReferenced(plan, found, evaluation);
    const hiding = loadHidingGrants(evaluation, plan, options);
    const grants = isPromiseLike(hiding) ? await hiding : hiding;
    const hidden: HidingGrants = { facts: evaluation, grants, resources: definition.resources };
    const absent: MissingReference[] = [];
    for (let index = 0; index < bodyReferences.length; index += 1) {
      const ids = found[index] ?? [];
      if (ids.length === 0) continue;
      const reference = bodyReferences[index] as PlannedReference;
      const rows = ids.map(({ id }) => refs.get(reference, id));
      const chained = refs.chains(reference.to, rows);
      const chains = isPromiseLike(chained) ? await chained : chained;
      refs.setReferenced(reference, { ids, chains });
      checkReferenced(reference, { ids, chains }, { evaluation, registry, hidden, absent, errors });
    }
    const [first] = absent;
    if (first === undefined) return;
    const { onNotFound } = first.reference;
    const alike = absent.filter(({ reference }) => reference.onNotFound === onNotFound);
    throw errors.notFound(
      onNotFound,
      alike.map(({ location }) => location),
    );
  };
};

const defaultReferenceLimit = 5000;

/** Checked before any lookup. */
function assertReferenceLimit(
  found: readonly (readonly ReferencedId[])[],
  limit: number,
  { plan, errors }: { readonly plan: OperationPlan; readonly errors: OperationErrors },
): void {
  const index = found.findIndex(({ length }) => length > limit);
  if (index === -1) return;
  const { pointer } = plan.bodyReferences[index] as PlannedReference;
  const field = pointer.slice(0, pointer.indexOf("*")).join(".");
  const reason = reasonOf({ code: "items", second: limit });
  throw errors.validation([{ in: "body", code: "items", reason, ...(field === "" ? {} : { field }) }]);
}

/** Loads all rows before any is checked: a condition may concern rows of another reference. */
async function loadReferenced(
  { bodyReferences, loadGroups }: OperationPlan,
  found: readonly (readonly ReferencedId[])[],
  { refs }: RequestEvaluation,
): Promise<void> {
  for (const { to, by, references } of loadGroups) {
    const ids: unknown[] = [];
    for (const index of references) for (const { id } of found[index] ?? []) ids.push(id);
    const loaded = ids.length === 0 ? undefined : refs.load(to, by, ids);
    if (isPromiseLike(loaded)) await loaded;
  }
  for (const reference of bodyReferences) refs.linkReference(reference);
}

interface MissingReference {
  readonly reference: PlannedReference;
  readonly location: string;
}

interface ReferenceChecks {
  readonly evaluation: RequestEvaluation;
  readonly registry: ResourceRegistry;
  readonly hidden: HidingGrants;
  readonly absent: MissingReference[];
  readonly errors: OperationErrors;
}

/** Collects the absent resources of one reference. Throws if an existing one does not satisfy the reference's condition. */
function checkReferenced(
  reference: PlannedReference,
  { ids, chains }: BodyRows,
  { evaluation, registry, hidden, absent, errors }: ReferenceChecks,
): void {
  const { caller, refs } = evaluation;
  const before = absent.length;
  let violating: string[] | undefined;
  for (let index = 0; index < ids.length; index += 1) {
    const { location } = ids[index] as ReferencedId;
    const chain = chains[index];
    if (
      chain === undefined ||
      !isInScope(reference, chain, { caller, refs, registry }) ||
      isHidden(reference, chain, hidden)
    )
      absent.push({ reference, location });
    else if (reference.where !== undefined && !isValid(reference.where, chain[0]?.row))
      (violating ??= []).push(location);
  }
  if (violating !== undefined && absent.length === before) throw errors.at(reference.onConstraintViolation, violating);
}
