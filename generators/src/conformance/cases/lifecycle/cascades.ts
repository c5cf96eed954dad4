import type { Case, CallStep, Step, Template } from "@plumbline/conformance-runtime";
import {
  type Operation,
  type Resource,
  collectFields,
  schemaParts,
  findJsonContent,
  ownValue,
} from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { createdResource } from "../../requests/created-resources.js";
import {
  callOnObjects,
  objectChain,
  expectMissing,
  objectNames,
  pathReferences,
  pointerInto,
  readObject,
  requirementsOfResource,
  type ObjectChain,
} from "../../requests/object-chains.js";
import { creationSteps } from "../../requests/reference-bodies.js";
import { setupStep, planRequest } from "../../requests/request-plan.js";

/** Cases of deletions: the object and its children are gone, and nothing else. */
export function cascadeCases(context: ConformanceContext): readonly Case[] {
  return context.api.resources.flatMap((resource) => {
    const remove = context.operations.get(resource.delete ?? "");
    if (remove === undefined || pathReferences(remove).at(-1)?.reference.to !== resource.name) return [];
    const children = descendantsOf(context, resource);
    return [
      ...deletedCases(context, resource, remove),
      ...children.flatMap((child) => childCases(context, { resource, remove, child })),
      ...context.api.resources.flatMap((holder) => unlinkCases(context, { resource, remove, holder })),
    ];
  });
}

/** A read that expects "not found" after the deletion. */
function notFoundCall(
  context: ConformanceContext,
  resource: Resource,
  read: CallStep | undefined,
): CallStep | undefined {
  const operation = context.operations.get(resource.read ?? "");
  const last = operation && pathReferences(operation).at(-1);
  if (read === undefined || operation === undefined || last === undefined) return undefined;
  const expect = expectMissing(context, operation, last);
  return expect === undefined ? undefined : { ...read, expect };
}

function deletedCases(context: ConformanceContext, resource: Resource, remove: Operation): readonly Case[] {
  const plan = planRequest(context, remove, { objects: "own" });
  const names = objectNames(remove, plan.names);
  const last = pathReferences(remove).at(-1);
  const gone = notFoundCall(context, resource, readObject(context, resource, names));
  const again = last && expectMissing(context, remove, last);
  const list = context.operations.get(resource.list ?? "");
  const total = list?.pagination?.envelope.total;
  const listed = list === undefined || total === undefined ? undefined : callOnObjects(list, names);
  if (gone === undefined && listed === undefined) return [];
  return [
    createCase(context, {
      operation: remove,
      kind: "resources",
      idParts: ["deleted"],
      title: `${remove.summary ?? remove.name}: the deleted object is not found, and one less is listed`,
      requirements: [...requirementIds(remove.sources), ...requirementsOfResource(context, resource)],
      requires: plan.requires,
      exclusive: plan.exclusive,
      steps: [
        ...plan.setupSteps,
        { settle: true },
        ...(listed === undefined ? [] : [setupStep({ ...listed, as: "before" })]),
        plan.call,
        { settle: true },
        ...(gone === undefined ? [] : [gone]),
        ...(listed === undefined || total === undefined
          ? []
          : [
              { ...listed, expect: bodyWithValue(total, { const: { $sum: [{ $get: `before#/body/${total}` }, -1] } }) },
            ]),
        ...(again === undefined ? [] : [{ ...plan.call, expect: again }]),
      ],
    }),
  ];
}

/** A body with a value in a field. */
function bodyWithValue(field: string, value: Template): { readonly body: Template } {
  return { body: { properties: { [field]: value }, required: [field] } };
}

function descendantsOf({ api }: ConformanceContext, resource: Resource): readonly Resource[] {
  const children: Resource[] = [];
  const within = new Set([resource.name]);
  for (let size = 0; size !== within.size;) {
    size = within.size;
    for (const each of api.resources)
      if (each.parent !== undefined && within.has(each.parent) && !within.has(each.name)) {
        within.add(each.name);
        children.push(each);
      }
  }
  return children;
}

interface ParentAndChild {
  readonly resource: Resource;
  readonly remove: Operation;
  readonly child: Resource;
}

function childCases(context: ConformanceContext, { resource, remove, child }: ParentAndChild): readonly Case[] {
  const doomed = familyOf(context, { resource, remove, child }, "");
  const otherFamily = familyOf(context, { resource, remove, child }, "Kept");
  if (doomed === undefined || otherFamily === undefined) return [];
  const gone = notFoundCall(context, child, readObject(context, child, doomed.names));
  const reads = [readObject(context, resource, otherFamily.names), readObject(context, child, otherFamily.names)];
  const stays = reads.filter((each) => each !== undefined);
  const call = callOnObjects(remove, doomed.names);
  if (gone === undefined || call === undefined) return [];
  const second = secondChild(context, { resource, remove, child }, doomed);
  const alsoGone = second && notFoundCall(context, child, readObject(context, child, second.names));
  const fitting = context.settings.operations[remove.name];
  return [
    createCase(context, {
      operation: remove,
      kind: "resources",
      idParts: ["cascade", child.name],
      title: `${remove.summary ?? remove.name}: deletes every ${child.name} in it, and none of another ${resource.name}`,
      requirements: [...requirementsOfResource(context, child), ...requirementIds(remove.sources)],
      requires: fitting?.requires ?? [],
      exclusive: fitting?.exclusive ?? false,
      steps: [
        ...doomed.createSteps,
        ...(second?.createSteps ?? []),
        ...otherFamily.createSteps,
        { settle: true },
        ...stays.map((read, index) => setupStep({ ...read, as: `kept${index}` })),
        call,
        { settle: true },
        gone,
        ...(alsoGone === undefined ? [] : [alsoGone]),
        ...stays.map((read, index): Step => ({
          ...read,
          expect: { body: { const: { $get: `kept${index}#/body` } } },
        })),
      ],
    }),
  ];
}

/** Another child of the same object. Undefined for a part of its representation, and for what another one replaces. */
function secondChild(
  context: ConformanceContext,
  { child }: ParentAndChild,
  { names }: ObjectChain,
): ObjectChain | undefined {
  const name = ownValue(names, child.name);
  const replaces = context.api.operations.some(({ effects }) =>
    effects.some(({ does, to, except }) => does === "delete" && to === child.name && except !== undefined),
  );
  if (name === undefined || name.includes("#") || replaces) return undefined;
  const as = `${name}Second`;
  const createSteps = creationSteps(context, { resource: child.name, as, parents: names, isOwn: true });
  return createSteps === undefined ? undefined : { createSteps, names: { ...names, [child.name]: as } };
}

/** An object and one of its children: created in it, or part of its representation. */
function familyOf(
  context: ConformanceContext,
  { resource, remove, child }: ParentAndChild,
  suffix: string,
): ObjectChain | undefined {
  const readOperation = context.operations.get(child.read ?? "");
  if (readOperation === undefined) return undefined;
  if (pathReferences(readOperation).some(({ reference }) => reference.to === resource.name))
    return objectChain(context, readOperation, { freshFrom: resource.name, suffix });
  const schema = context.schemas.get(resource.name);
  const field = (schema === undefined ? [] : schemaParts(context.api, schema))
    .flatMap(({ properties = [] }) => properties)
    .find((property) => property.schema.items?.ref === child.name);
  if (field === undefined) return undefined;
  const chain = objectChain(context, remove, { freshFrom: resource.name, suffix });
  return {
    createSteps: chain.createSteps,
    names: { ...chain.names, [child.name]: `${ownValue(chain.names, resource.name) ?? ""}#/${field.name}/0` },
  };
}

interface ReferenceHolder {
  readonly resource: Resource;
  readonly remove: Operation;
  readonly holder: Resource;
}

/** Lists of other objects that reference the deleted one lose it, and keep the others. */
function unlinkCases(context: ConformanceContext, { resource, remove, holder }: ReferenceHolder): readonly Case[] {
  const schema = context.schemas.get(holder.name);
  const readOperation = context.operations.get(holder.read ?? "");
  if (schema === undefined || readOperation === undefined || holder === resource) return [];
  if (pathReferences(readOperation).at(-1)?.reference.to !== holder.name) return [];
  const fields = collectFields(context.api, schema)
    .filter(({ schema: { reference } }) => reference?.to === resource.name && reference.onDelete === "set-null")
    .filter(({ pointer }) => pointer.length === 2 && pointer[1] === "*");
  // Most resources have no such list, and the search for a creating operation is slow.
  const names = fields.length === 0 ? new Set<string>() : sentTo(context, holder);
  return fields
    .filter(({ pointer }) => names.has(pointer.join("/")))
    .flatMap(({ pointer: [field = ""], schema: { reference, sources } }) => {
      const target = objectChain(context, remove, { freshFrom: resource.name });
      const other = objectChain(context, remove, { freshFrom: resource.name, suffix: "Kept" });
      const call = callOnObjects(remove, target.names);
      const by = `/${reference?.by ?? "id"}`;
      const idOf = (chain: ObjectChain): Template => pointerInto(ownValue(chain.names, resource.name) ?? "", by);
      const holds = objectChain(context, readOperation, {
        freshFrom: holder.name,
        bodyFields: { [holder.name]: { [field]: [idOf(target), idOf(other)] } },
      });
      const second = objectChain(context, readOperation, {
        freshFrom: holder.name,
        suffix: "Second",
        bodyFields: { [holder.name]: { [field]: [idOf(target), idOf(other)] } },
      });
      const reads = [holds, second].map((chain) => readObject(context, holder, chain.names));
      const [first, last] = reads;
      if (call === undefined || first === undefined || last === undefined) return [];
      const holders = [first, last];
      return [
        createCase(context, {
          operation: remove,
          kind: "resources",
          idParts: ["detached", holder.name, field],
          title: `${remove.summary ?? remove.name}: ${field} of each ${holder.name} loses it, and keeps the others`,
          requirements: [...requirementIds(remove.sources), ...requirementIds(sources)],
          steps: [
            ...target.createSteps,
            ...other.createSteps,
            ...holds.createSteps,
            ...second.createSteps,
            { settle: true },
            ...holders.map((each) =>
              setupStep({ ...each, expect: bodyWithValue(field, { contains: { const: idOf(target) } }) }),
            ),
            call,
            { settle: true },
            ...holders.map((each) => ({ ...each, expect: bodyWithValue(field, { const: [idOf(other)] }) })),
          ],
        }),
      ];
    });
}

/** The fields in the request that creates a resource. */
function sentTo({ api }: ConformanceContext, resource: Resource): ReadonlySet<string> {
  const maker = api.operations.find((each) => createdResource(api, each)?.resource === resource);
  const body = maker?.requestBody && findJsonContent(maker.requestBody.contents)?.schema;
  return new Set((body === undefined ? [] : collectFields(api, body)).map(({ pointer }) => pointer.join("/")));
}
