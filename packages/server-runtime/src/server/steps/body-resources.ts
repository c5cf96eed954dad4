import { isValid, reasonOf } from "../../http/index.js";
import type { Grants } from "../access/grants.js";
import { isHidden, type HidingGrants } from "../access/hidden-resources.js";
import { isInScope } from "../access/reference-scope.js";
import type { OperationErrors } from "../errors/operation-errors.js";
import type { Awaitable } from "../handlers.js";
import type { PlannedReference } from "../operation-plan.js";
import { andThen, firstInTurn } from "../request/in-turn.js";
import { findBodyReferences, type ReferencedId } from "../resources/body-references.js";
import type { BodyRows } from "../resources/resource-cache.js";
import type { ResourceRegistry } from "../resources/resources.js";
import { loadHidingGrants } from "./caller-grants.js";
import type { RequestEvaluation } from "./request-evaluation.js";
import type { StepFactory } from "./step.js";

/** Looks up the resources that the body references, with one query for each kind. Reports one error, with all locations that it concerns. */
export const lookupBody: StepFactory = (plan, { definition, options, registry }, errors) => {
  const { bodyReferences } = plan;
  const { referenceLimit = defaultReferenceLimit } = options;
  if (bodyReferences.length === 0) return undefined;
  return (evaluation) => {
    const { body, refs } = evaluation;
    const references: NamedReference[] = [];
    for (const reference of bodyReferences) {
      const ids = findBodyReferences(body, reference.pointer, referenceLimit);
      if (ids.length > 0) references.push({ reference, ids });
    }
    assertReferenceLimit(references, referenceLimit, errors);
    const check = (grants: Grants | undefined): Awaitable<void> => {
      const hidden: HidingGrants = { facts: evaluation, grants, resources: definition.resources };
      const absent: MissingReference[] = [];
      const checking = firstInTurn(references, ({ reference, ids }) => {
        const rows = ids.map(({ id }) => refs.get(reference, id));
        return andThen(refs.chains(reference.to, rows), (chains) => {
          refs.setReferenced(reference, { ids, chains });
          checkReferenced(reference, { ids, chains }, { evaluation, registry, hidden, absent, errors });
          return undefined;
        });
      });
      return andThen(checking, () => rejectAbsent(absent, errors));
    };
    return andThen(loadRows(references, evaluation), () =>
      andThen(loadHidingGrants(evaluation, plan, { definition, options }), check),
    );
  };
};

const defaultReferenceLimit = 5000;

/** A reference with the ids that the body has for it. */
interface NamedReference {
  readonly reference: PlannedReference;
  readonly ids: readonly ReferencedId[];
}

/** Checked before any lookup. */
function assertReferenceLimit(references: readonly NamedReference[], limit: number, errors: OperationErrors): void {
  const exceeding = references.find(({ ids }) => ids.length > limit);
  if (exceeding === undefined) return;
  const { pointer } = exceeding.reference;
  const field = pointer.slice(0, pointer.indexOf("*")).join(".");
  const reason = reasonOf({ code: "items", second: limit });
  throw errors.validation([{ in: "body", code: "items", reason, ...(field === "" ? {} : { field }) }]);
}

/** Loads all rows before any is checked: a condition may concern rows of another reference. */
function loadRows(references: readonly NamedReference[], { refs }: RequestEvaluation): Awaitable<undefined> {
  return firstInTurn(references, ({ reference: { to, by } }) => {
    const all: unknown[] = [];
    for (const { reference, ids } of references)
      if (reference.to === to && reference.by === by) for (const { id } of ids) all.push(id);
    return andThen(refs.load(to, by, all), () => undefined);
  });
}

interface MissingReference {
  readonly reference: PlannedReference;
  readonly location: string;
}

function rejectAbsent(absent: readonly MissingReference[], errors: OperationErrors): void {
  const [first] = absent;
  if (first === undefined) return;
  const { onNotFound } = first.reference;
  const alike = absent.filter(({ reference }) => reference.onNotFound === onNotFound);
  throw errors.notFound(
    onNotFound,
    alike.map(({ location }) => location),
  );
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
