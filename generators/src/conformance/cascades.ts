import type { Case, CallStep, Step, Template } from "@plumbline/conformance-runtime";
import type { Operation, Resource } from "../model/api.js";
import { fieldsOf, partsOf } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { madeBy } from "./facts.js";
import { given, planOf } from "./plans.js";
import {
  callOn,
  chainOf,
  missingAt,
  namesIn,
  namingOf,
  part,
  readOf,
  requirementsOfResource,
  type Chain,
} from "./resource-paths.js";

/** Cases of deletions: the object and its children are gone, and nothing else. */
export function cascadeCases(context: Context): readonly Case[] {
  return context.api.resources.flatMap((resource) => {
    const remove = context.operations.get(resource.delete ?? "");
    if (remove === undefined || namingOf(remove).at(-1)?.reference.to !== resource.name) return [];
    const children = descendantsOf(context, resource);
    return [
      ...goneCases(context, resource, remove),
      ...children.flatMap((child) => childCases(context, { resource, remove, child })),
      ...context.api.resources.flatMap((holder) => detachCases(context, { resource, remove, holder })),
    ];
  });
}

/** A read that expects "not found" after the deletion. */
function notFound(context: Context, resource: Resource, read: CallStep | undefined): CallStep | undefined {
  const operation = context.operations.get(resource.read ?? "");
  const last = operation && namingOf(operation).at(-1);
  if (read === undefined || operation === undefined || last === undefined) return undefined;
  const expect = missingAt(context, operation, last);
  return expect === undefined ? undefined : { ...read, expect };
}

function goneCases(context: Context, resource: Resource, remove: Operation): readonly Case[] {
  const plan = planOf(context, remove, { objects: "own" });
  const names = namesIn(remove, plan.names);
  const last = namingOf(remove).at(-1);
  const gone = notFound(context, resource, readOf(context, resource, names));
  const again = last && missingAt(context, remove, last);
  const list = context.operations.get(resource.list ?? "");
  const total = list?.pagination?.envelope.total;
  const listed = list === undefined || total === undefined ? undefined : callOn(list, names);
  if (gone === undefined && listed === undefined) return [];
  return [
    caseOf(context, {
      operation: remove,
      kind: "resources",
      about: ["deleted"],
      title: `${remove.summary ?? remove.name}: the deleted object is not found, and one less is listed`,
      requirements: [...requirementsOf(remove.sources), ...requirementsOfResource(context, resource)],
      needs: plan.needs,
      alone: plan.alone,
      steps: [
        ...plan.before,
        { settle: true },
        ...(listed === undefined ? [] : [given({ ...listed, as: "before" })]),
        plan.call,
        { settle: true },
        ...(gone === undefined ? [] : [gone]),
        ...(listed === undefined || total === undefined
          ? []
          : [{ ...listed, expect: having(total, { const: { $sum: [{ $get: `before#/body/${total}` }, -1] } }) }]),
        ...(again === undefined ? [] : [{ ...plan.call, expect: again }]),
      ],
    }),
  ];
}

/** A body with a value in a field. */
function having(field: string, value: Template): { readonly body: Template } {
  return { body: { properties: { [field]: value }, required: [field] } };
}

function descendantsOf({ api }: Context, resource: Resource): readonly Resource[] {
  const found: Resource[] = [];
  const within = new Set([resource.name]);
  for (let size = 0; size !== within.size;) {
    size = within.size;
    for (const each of api.resources)
      if (each.parent !== undefined && within.has(each.parent) && !within.has(each.name)) {
        within.add(each.name);
        found.push(each);
      }
  }
  return found;
}

interface Family {
  readonly resource: Resource;
  readonly remove: Operation;
  readonly child: Resource;
}

function childCases(context: Context, { resource, remove, child }: Family): readonly Case[] {
  const doomed = familyOf(context, { resource, remove, child }, "");
  const kept = familyOf(context, { resource, remove, child }, "Kept");
  if (doomed === undefined || kept === undefined) return [];
  const gone = notFound(context, child, readOf(context, child, doomed.names));
  const reads = [readOf(context, resource, kept.names), readOf(context, child, kept.names)];
  const stays = reads.filter((each) => each !== undefined);
  const call = callOn(remove, doomed.names);
  if (gone === undefined || call === undefined) return [];
  const fitting = context.settings.operations[remove.name];
  return [
    caseOf(context, {
      operation: remove,
      kind: "resources",
      about: ["cascade", child.name],
      title: `${remove.summary ?? remove.name}: deletes every ${child.name} in it, and none of another ${resource.name}`,
      requirements: [...requirementsOfResource(context, child), ...requirementsOf(remove.sources)],
      needs: fitting?.needs ?? [],
      alone: fitting?.alone ?? false,
      steps: [
        ...doomed.makes,
        ...kept.makes,
        { settle: true },
        ...stays.map((read, index) => given({ ...read, as: `kept${index}` })),
        call,
        { settle: true },
        gone,
        ...stays.map((read, index): Step => ({
          ...read,
          expect: { body: { const: { $get: `kept${index}#/body` } } },
        })),
      ],
    }),
  ];
}

/** An object and one of its children: created in it, or part of its representation. */
function familyOf(context: Context, { resource, remove, child }: Family, suffix: string): Chain | undefined {
  const read = context.operations.get(child.read ?? "");
  if (read === undefined) return undefined;
  if (namingOf(read).some(({ reference }) => reference.to === resource.name))
    return chainOf(context, read, { freshFrom: resource.name, suffix });
  const shape = context.shapes.get(resource.name);
  const field = (shape === undefined ? [] : partsOf(context.api, shape))
    .flatMap(({ properties = [] }) => properties)
    .find((property) => property.shape.items?.ref === child.name);
  if (field === undefined) return undefined;
  const chain = chainOf(context, remove, { freshFrom: resource.name, suffix });
  return {
    makes: chain.makes,
    names: { ...chain.names, [child.name]: `${chain.names[resource.name] ?? ""}#/${field.name}/0` },
  };
}

interface Holding {
  readonly resource: Resource;
  readonly remove: Operation;
  readonly holder: Resource;
}

/** Lists of other objects that reference the deleted one lose it, and keep the others. */
function detachCases(context: Context, { resource, remove, holder }: Holding): readonly Case[] {
  const shape = context.shapes.get(holder.name);
  const read = context.operations.get(holder.read ?? "");
  if (shape === undefined || read === undefined || holder === resource) return [];
  if (namingOf(read).at(-1)?.reference.to !== holder.name) return [];
  const fields = fieldsOf(context.api, shape)
    .filter(({ shape: { reference } }) => reference?.to === resource.name && reference.deleted === "detach")
    .filter(({ pointer }) => pointer.length === 2 && pointer[1] === "*");
  // Most resources have no such list, and the search for a creating operation is slow.
  const names = fields.length === 0 ? new Set<string>() : sentTo(context, holder);
  return fields
    .filter(({ pointer }) => names.has(pointer.join("/")))
    .flatMap(({ pointer: [field = ""], shape: { reference, sources } }) => {
      const named = chainOf(context, remove, { freshFrom: resource.name });
      const other = chainOf(context, remove, { freshFrom: resource.name, suffix: "Kept" });
      const call = callOn(remove, named.names);
      const by = `/${reference?.by ?? "id"}`;
      const idOf = ({ names: of }: Chain): Template => part(of[resource.name] ?? "", by);
      const holds = chainOf(context, read, {
        freshFrom: holder.name,
        laid: { [holder.name]: { [field]: [idOf(named), idOf(other)] } },
      });
      const reads = readOf(context, holder, holds.names);
      if (call === undefined || reads === undefined) return [];
      return [
        caseOf(context, {
          operation: remove,
          kind: "resources",
          about: ["detached", holder.name, field],
          title: `${remove.summary ?? remove.name}: ${field} of each ${holder.name} loses it, and keeps the others`,
          requirements: [...requirementsOf(remove.sources), ...requirementsOf(sources)],
          steps: [
            ...named.makes,
            ...other.makes,
            ...holds.makes,
            { settle: true },
            given({ ...reads, expect: having(field, { contains: { const: idOf(named) } }) }),
            call,
            { settle: true },
            { ...reads, expect: having(field, { const: [idOf(other)] }) },
          ],
        }),
      ];
    });
}

/** The fields in the request that creates a resource. */
function sentTo({ api }: Context, resource: Resource): ReadonlySet<string> {
  const maker = api.operations.find((each) => madeBy(api, each)?.resource === resource);
  const body = maker?.body && jsonContent(maker.body.contents)?.shape;
  return new Set((body === undefined ? [] : fieldsOf(api, body)).map(({ pointer }) => pointer.join("/")));
}
