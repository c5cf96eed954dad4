import type { CallStep, Case, Step, Template } from "@plumbline/conformance-runtime";
import type { Operation, Resource } from "../model/api.js";
import { fieldAt, fieldsOf, partsOf } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import type { Context } from "./context.js";
import { answeredAt, having, schemaOfValues, valueOf } from "./effect-values.js";
import { itemCases } from "./effect-items.js";
import { effectCase, knownIn, withBody, type Caused } from "./effect-cases.js";
import { given, planOf, type Plan } from "./plans.js";
import { calledNamed, makingOf } from "./reference-bodies.js";
import { namesIn, namingOf, part, readOf } from "./resource-paths.js";

/** Cases of effects that set fields of another object, and that add to or remove from its lists. */
export function changeCases(context: Context, caused: Caused): readonly Case[] {
  const { effect } = caused;
  const to = effect.to ?? "";
  if (effect.does === "set" && !to.includes("*") && effect.except === undefined) return setCases(context, caused);
  if (effect.does === "set") return itemCases(context, caused);
  if (effect.does === "add" && to.startsWith("$request.body#/") && to.endsWith("/*")) return addCases(context, caused);
  return [];
}

/** How a case reads the object that an effect changes. */
interface Affected {
  readonly read: CallStep;
  /** True when the call creates the object. */
  readonly isMade?: true;
}

function affected(context: Context, { operation, effect }: Caused, plan: Plan): Affected | undefined {
  const to = effect.to ?? "";
  const names = namesIn(operation, plan.names);
  const by = plan.call.by === undefined ? {} : { by: plan.call.by };
  const single = context.resources.get(to);
  if (single !== undefined) {
    const read = readOf(context, single, {});
    return read === undefined ? undefined : { read: { ...read, ...by } };
  }
  const last = namingOf(operation).at(-1);
  const resource = context.resources.get(last?.reference.to ?? "");
  if (resource === undefined || last === undefined) return undefined;
  if (to === `$request.path.${last.name}`) {
    const read = readOf(context, resource, names);
    return read === undefined ? undefined : { read };
  }
  if (to !== "$response.body#/id") return undefined;
  const answered = context.api.resources.find((each) => answeredAt(context, operation, each.name) === "/body");
  const read = readOf(context, answered, { ...names, [answered?.name ?? ""]: "answer#/body" });
  return read === undefined ? undefined : { read, isMade: true };
}

function setCases(context: Context, caused: Caused): readonly Case[] {
  const { operation, effect } = caused;
  const plan = richer(context, caused, planOf(context, operation, { objects: "own" }));
  const about = affected(context, caused, plan);
  const target = targetOf(context, operation);
  const reads = target === undefined ? undefined : readOf(context, target, namesIn(operation, plan.names));
  const values = schemaOfValues(effect, knownIn(plan, reads === undefined ? undefined : "target#/body"));
  if (about === undefined || values === undefined) return [];
  const isMade = about.isMade === true;
  return [
    effectCase(context, caused, {
      plan,
      title: effect.summary ?? "the effect sets the values",
      steps: [
        ...(reads === undefined ? [] : [given({ ...reads, as: "target" })]),
        // An object that already has the values would not show the effect.
        ...(isMade ? [] : [given({ ...about.read, expect: { body: { not: values } } })]),
        { ...plan.call, as: "answer" },
        { settle: true },
        { ...about.read, expect: { body: values } },
      ],
    }),
  ];
}

function targetOf(context: Context, operation: Operation): Resource | undefined {
  return context.resources.get(namingOf(operation).at(-1)?.reference.to ?? "");
}

/** Fills lists of the path's object that the effect copies. */
function richer(context: Context, { effect }: Caused, plan: Plan): Plan {
  const copied = Object.values(effect.values).flatMap((take) =>
    take.kind === "from" && take.from.root === "target" && take.from.pointer.length === 1 ? take.from.pointer : [],
  );
  const target = targetOf(context, plan.operation);
  const shape = context.shapes.get(target?.name ?? "");
  if (target === undefined || shape === undefined || copied.length === 0) return plan;
  const lists = copied.flatMap((field) => {
    const items = fieldAt(context.api, shape, [field])?.items;
    const reference = items && partsOf(context.api, items).find((each) => each.reference !== undefined)?.reference;
    return reference === undefined ? [] : [{ field, reference }];
  });
  const makes = lists.flatMap(
    ({ reference: { to } }) => makingOf(context, { resource: to, as: calledNamed(to), fresh: true }) ?? [],
  );
  const laid = Object.fromEntries(
    lists.map(({ field, reference: { to, by = "id" } }) => [field, [part(calledNamed(to), `/${by}`)]] as const),
  );
  const before = plan.before.map((step): Step => {
    if (!("make" in step) || step.make !== target.name || step.fresh !== true) return step;
    return { ...step, with: { $merge: [step.with ?? {}, laid] } };
  });
  return { ...plan, before: [...makes, ...before] };
}

/** Every object that the body lists has the value after the call, and not before. */
function addCases(context: Context, caused: Caused): readonly Case[] {
  const { operation, effect } = caused;
  const listed = /^\$request\.body#\/(\w+)\/\*$/.exec(effect.to ?? "")?.[1];
  const body = operation.body && jsonContent(operation.body.contents)?.shape;
  if (listed === undefined || body === undefined) return [];
  const field = fieldsOf(context.api, body).find(({ pointer }) => pointer.join("/") === `${listed}/*`);
  const resource = context.resources.get(field?.shape.reference?.to ?? "");
  if (resource === undefined) return [];
  const as = calledNamed(resource.name);
  const makes = makingOf(context, { resource: resource.name, as, fresh: true });
  const others = makingOf(context, { resource: resource.name, as: `${as}Kept`, fresh: true });
  const read = readOf(context, resource, { [resource.name]: as });
  const kept = readOf(context, resource, { [resource.name]: `${as}Kept` });
  const [name, take] = Object.entries(effect.values)[0] ?? [];
  const plan = planOf(context, operation, { objects: "own" });
  const value = take?.kind === "from" ? valueOf(take.from, knownIn(plan)) : undefined;
  if (makes === undefined || others === undefined || read === undefined || kept === undefined) return [];
  if (name === undefined || value === undefined) return [];
  const has: Template = having([name], { contains: { const: value } });
  const earlier = earlierIn(context, resource, name);
  const had: Template = having([name], { contains: { const: earlier?.value ?? null } });
  return [
    effectCase(context, caused, {
      plan,
      title: effect.summary ?? `each of ${listed} has it`,
      steps: [
        ...(earlier?.makes ?? []),
        ...makes.map((step) =>
          step.as === as && earlier !== undefined ? { ...step, with: { [name]: [earlier.value] } } : step,
        ),
        ...others,
        { settle: true },
        { ...withBody(plan.call, { [listed]: [part(as, "/id")] }), as: "answer" },
        { settle: true },
        { ...read, expect: { body: earlier === undefined ? has : { allOf: [has, had] } } },
        { ...kept, expect: { body: { not: has } } },
      ],
    }),
  ];
}

/** An earlier item of the list, if its items reference objects that can be created. */
function earlierIn(
  context: Context,
  resource: Resource,
  field: string,
): { readonly makes: readonly Step[]; readonly value: Template } | undefined {
  const shape = context.shapes.get(resource.name);
  const items = shape && fieldAt(context.api, shape, [field])?.items;
  const reference = items && partsOf(context.api, items).find((each) => each.reference !== undefined)?.reference;
  if (reference === undefined) return undefined;
  const makes = makingOf(context, { resource: reference.to, as: "earlier", fresh: true });
  return makes === undefined ? undefined : { makes, value: part("earlier", `/${reference.by ?? "id"}`) };
}
