import { isValid, reasonOf, type InputGroups } from "@plumbline/http-runtime";
import type { RequestEvaluation } from "../request/request-evaluation.js";
import { isHidden, hidingGrants, type Grants } from "../access/grants.js";
import { isPromiseLike } from "../handlers.js";
import { findBodyReferences, type ReferencedId } from "../resources/body-references.js";
import { isResourceVisibleTo, isSameId } from "../access/ownership.js";
import type { PlannedReference } from "../operation-plan.js";
import type { Reference } from "../resources/resources.js";
import { rowField, type AncestorChain } from "../resources/resource-cache.js";

/**
 * Looks up the resources that the path names. The server responds with an error if one does not exist, is in another parent, or is not the
 * caller's.
 */
export async function lookupPath(evaluation: RequestEvaluation): Promise<void> {
  const { pathReferences, resources } = evaluation.plan;
  const { target } = resources;
  const hiding = hidingGrants(evaluation);
  const grants = isPromiseLike(hiding) ? await hiding : hiding;
  for (const reference of pathReferences) {
    const id = (evaluation.input["path"] as InputGroups | undefined)?.[reference.parameter];
    const loaded = evaluation.refs.load(reference.to, reference.by, [id]);
    const row = (isPromiseLike(loaded) ? await loaded : loaded).get(id);
    const chained = evaluation.refs.chains(reference.to, row === undefined ? [] : [row]);
    const [chain] = isPromiseLike(chained) ? await chained : chained;
    if (row === undefined || chain === undefined || !isInScope(reference, chain, evaluation))
      throw evaluation.notFound(reference);
    evaluation.refs.setParameter(reference.parameter, row);
    evaluation.parameters.set(reference.parameter, chain);
    if (target?.parameter === reference.parameter) evaluation.target = row;
    if (isHidden(reference, chain, { evaluation, grants })) throw evaluation.notFound(reference);
  }
}

/** Looks up the resource of which each caller has one. */
export async function lookupSingleton(evaluation: RequestEvaluation): Promise<void> {
  const { target } = evaluation.plan.resources;
  // The path of an operation route may have loaded it already.
  if (target === undefined || evaluation.target !== undefined) return;
  evaluation.target = (await evaluation.refs.loadOwn(target.resource)) ?? undefined;
  if (evaluation.target === undefined) throw evaluation.sharedError(404);
}

/** Looks up the resources that the body references, with one query for each kind. Reports one error, with all locations that it concerns. */
export async function lookupBody(evaluation: RequestEvaluation): Promise<void> {
  const { bodyReferences, loadGroups } = evaluation.plan;
  const { referenceLimit = defaultReferenceLimit } = evaluation.server.options;
  const found = bodyReferences.map(({ pointer }) => findBodyReferences(evaluation.body, pointer, referenceLimit));
  assertReferenceLimit(found, referenceLimit, evaluation);
  evaluation.bodyIds = found;
  for (const { to, by, references } of loadGroups) {
    const ids: unknown[] = [];
    for (const index of references) for (const { id } of found[index] ?? []) ids.push(id);
    const loaded = ids.length === 0 ? undefined : evaluation.refs.load(to, by, ids);
    if (isPromiseLike(loaded)) await loaded;
  }
  // A condition may concern rows of another reference.
  for (const reference of bodyReferences) evaluation.refs.linkReference(reference);
  const hiding = hidingGrants(evaluation);
  const grants = isPromiseLike(hiding) ? await hiding : hiding;
  const absent: MissingReference[] = [];
  for (let index = 0; index < bodyReferences.length; index += 1) {
    const here = found[index] ?? [];
    if (here.length === 0) continue;
    const reference = bodyReferences[index] as PlannedReference;
    const rows = here.map(({ id }) => evaluation.refs.get(reference, id));
    const chained = evaluation.refs.chains(reference.to, rows);
    const chains = isPromiseLike(chained) ? await chained : chained;
    evaluation.chains[index] = chains;
    checkReferenced(reference, here, { evaluation, grants, absent, chains });
  }
  const [first] = absent;
  if (first === undefined) return;
  const alike = absent.filter(({ reference }) => reference.onNotFound === first.reference.onNotFound);
  throw evaluation.notFound(
    first.reference,
    alike.map(({ location }) => location),
  );
}

const defaultReferenceLimit = 5000;

/** Checked before any lookup. */
function assertReferenceLimit(
  found: readonly (readonly ReferencedId[])[],
  limit: number,
  evaluation: RequestEvaluation,
): void {
  const index = found.findIndex(({ length }) => length > limit);
  if (index === -1) return;
  const { pointer } = evaluation.plan.bodyReferences[index] as PlannedReference;
  const field = pointer.slice(0, pointer.indexOf("*")).join(".");
  const reason = reasonOf({ code: "items", second: limit });
  throw evaluation.validationError([{ in: "body", code: "items", reason, ...(field === "" ? {} : { field }) }]);
}

interface MissingReference {
  readonly reference: Reference;
  readonly location: string;
}

interface LookupContext {
  readonly evaluation: RequestEvaluation;
  readonly grants: Grants | undefined;
  readonly absent: MissingReference[];
  readonly chains: readonly (AncestorChain | undefined)[];
}

/** Collects the absent resources of one reference. Throws if an existing one does not satisfy the reference's condition. */
function checkReferenced(
  reference: PlannedReference,
  found: readonly ReferencedId[],
  { evaluation, grants, absent, chains }: LookupContext,
): void {
  const before = absent.length;
  let violating: string[] | undefined;
  for (let index = 0; index < found.length; index += 1) {
    const { location } = found[index] as ReferencedId;
    const chain = chains[index];
    if (
      chain === undefined ||
      !isInScope(reference, chain, evaluation) ||
      isHidden(reference, chain, { evaluation, grants })
    )
      absent.push({ reference, location });
    else if (reference.where !== undefined && !isValid(reference.where, chain[0]?.row))
      (violating ??= []).push(location);
  }
  if (violating !== undefined && absent.length === before)
    throw evaluation.errorAt(reference.onConstraintViolation, violating);
}

/** Whether a resource is in the right parent and visible to the caller. */
function isInScope({ of }: Reference, chain: AncestorChain, evaluation: RequestEvaluation): boolean {
  if (of !== undefined) {
    const [outer] = evaluation.parameters.get(of) ?? [];
    const inner = chain.find(({ resource }) => resource === outer?.resource);
    if (outer === undefined || inner === undefined || !isSameId(rowField(inner.row, "id"), rowField(outer.row, "id")))
      return false;
  }
  return isResourceVisibleTo(evaluation.caller, chain, evaluation.server.registry);
}
