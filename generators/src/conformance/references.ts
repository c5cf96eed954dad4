import type { CallStep, Case, Expect, MakeStep, Step, Template } from "@plumbline/conformance-runtime";
import type { Failure, Operation, Reference, Shape } from "../model/api.js";
import { fieldsOf, type Field } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { madeBy } from "./facts.js";
import { given, planOf, type Plan, type PlanOptions } from "./plans.js";
import { calledNamed, isMadeWithin, makingOf, placed } from "./reference-bodies.js";
import { callOn, failureOf, namesIn, namingOf, nobodysId, part, readOf, refusal } from "./resource-paths.js";

/** What bodies name has to be there, the caller's to know of, where it has to be, and in the condition that is asked for. */
export function referenceCases(context: Context): readonly Case[] {
  return context.api.operations.flatMap((operation) => {
    const shape = operation.body && jsonContent(operation.body.contents)?.shape;
    if (shape === undefined) return [];
    const fields = fieldsOf(context.api, shape).flatMap((field) => namedBy(context, operation, { shape, field }));
    return [...fields.flatMap((each) => casesOf(context, each)), ...nothingMadeCases(context, fields)];
  });
}

/** A field of a body that names an object. */
interface Naming {
  readonly operation: Operation;
  readonly body: Shape;
  readonly field: Field;
  readonly reference: Reference;
  /** The requirements that it comes from. */
  readonly requirements: readonly string[];
  /** The parameter's resource in which the object has to be. */
  readonly parent: string | undefined;
}

function namedBy(
  context: Context,
  operation: Operation,
  { shape, field }: { readonly shape: Shape; readonly field: Field },
): readonly Naming[] {
  const { reference } = field.shape;
  if (reference === undefined || !context.resources.has(reference.to) || field.property?.readOnly === true) return [];
  if (field.pointer.length === 0 || field.pointer.length > 6) return [];
  const failure = failureOf(context, operation, reference.missing);
  const own = [...requirementsOf(field.shape.sources), ...requirementsOf(field.property?.shape.sources)];
  const around = fieldsAround(context, shape, field.pointer);
  const requirements = own.length > 0 ? own : around;
  return [
    {
      operation,
      body: shape,
      field,
      reference,
      requirements: [...requirements, ...requirementsOf(failure?.sources)],
      parent: namingOf(operation).find(({ name }) => name === reference.of?.name)?.reference.to,
    },
  ];
}

/** The requirements of the list that items are in. */
function fieldsAround(context: Context, shape: Shape, pointer: readonly string[]): readonly string[] {
  let at: readonly Shape[] = [shape];
  let found: readonly string[] = [];
  for (const token of pointer) {
    at = at.flatMap((each) => childrenAt(context, each, token));
    const ids = at.flatMap(({ sources }) => requirementsOf(sources));
    if (ids.length > 0) found = ids;
  }
  return found;
}

function childrenAt({ shapes }: Context, shape: Shape, token: string): readonly Shape[] {
  const whole = [shape, ...(shape.allOf ?? []), ...(shape.oneOf ?? [])].flatMap((each) => {
    const named = each.ref === undefined ? undefined : shapes.get(each.ref);
    return named === undefined ? [each] : [each, named];
  });
  return whole.flatMap(({ properties = [], items }) =>
    token === "*" && items !== undefined
      ? [items]
      : properties.filter(({ name }, index) => name === token || (token === "*" && index === 0)).map((p) => p.shape),
  );
}

function casesOf(context: Context, naming: Naming): readonly Case[] {
  return [
    ...missingCases(context, naming),
    ...othersCases(context, naming),
    ...otherParentCases(context, naming),
    ...unfitCases(context, naming),
    ...fittingCases(context, naming),
    ...madeByNameCases(context, naming),
  ];
}

interface Trial {
  readonly about: string;
  readonly title: string;
  /** Makes what is named. */
  readonly makes: readonly Step[];
  readonly value: Template;
  readonly objects: PlanOptions["objects"];
  readonly failure: Failure | undefined;
  /** What stands before it, where it is an item. */
  readonly first?: Template;
}

/** A case in which a field names this, and all else is fitting. */
function trial(context: Context, naming: Naming, { about, title, makes, value, ...rest }: Trial): readonly Case[] {
  const { operation, field } = naming;
  const plan = planOf(context, operation, { objects: rest.objects });
  const call = callNaming(context, { naming, plan, value, ...rest });
  if (call === undefined) return [];
  return [
    caseOf(context, {
      operation,
      kind: "references",
      about: [...wayOf(field), about],
      title: `${operation.summary ?? operation.name}: ${field.pointer.join(".")} ${title}`,
      requirements: naming.requirements,
      needs: plan.needs,
      alone: plan.alone,
      steps: [...plan.before, ...makes, call],
    }),
  ];
}

function callNaming(
  context: Context,
  given: { readonly naming: Naming; readonly plan: Plan } & Pick<Trial, "value" | "failure" | "first">,
): CallStep | undefined {
  const { naming, plan, value, failure, first } = given;
  const { operation, body: shape, field } = naming;
  const beside = context.settings.operations[operation.name]?.beside?.[field.pointer.join(".")];
  const base = plan.call.body;
  const body = beside === undefined ? base : base === undefined ? beside : laidOver(base, beside);
  const put = placed(context, {
    body,
    shape,
    pointer: field.pointer,
    value,
    ...(first === undefined ? {} : { first }),
  });
  if (put === undefined) return undefined;
  const expect: { expect: Expect } | object = failure === undefined ? {} : { expect: refusal(failure, put.place) };
  return { ...plan.call, body: put.body, ...expect };
}

function laidOver(base: Template, beside: Readonly<Record<string, Template>>): Template {
  const isForm = typeof base === "object" && base !== null && Object.keys(base).some((each) => each.startsWith("$"));
  return isForm || typeof base !== "object" ? { $merge: [base, beside] } : { ...base, ...beside };
}

function wayOf({ pointer }: Field): readonly string[] {
  return ["body", pointer.map((each) => (each === "*" ? "item" : each)).join(".")];
}

function missingCases(context: Context, naming: Naming): readonly Case[] {
  const { operation, reference, field } = naming;
  const failure = failureOf(context, operation, reference.missing);
  if (failure === undefined) return [];
  const value = nobodysId(context, field.shape);
  const title = `that names no ${reference.to} is refused`;
  const alone = trial(context, naming, { about: "missing", title, makes: [], value, objects: "shared", failure });
  if (field.pointer.at(-1) !== "*") return alone;
  const good = fitting(context, naming);
  if (good === undefined) return alone;
  return [
    ...alone,
    ...trial(context, naming, {
      about: "second-missing",
      title: `with a second that names no ${reference.to} is refused for the second`,
      makes: good.makes,
      first: good.value,
      value,
      objects: "shared",
      failure,
    }),
  ];
}

/** An object that a field may name, made for the case or the lane. */
function fitting(
  context: Context,
  { operation, reference, parent }: Naming,
  fresh: { readonly fresh?: true } = {},
): { readonly makes: readonly MakeStep[]; readonly value: Template } | undefined {
  const as = calledNamed(reference.to);
  const { names } = planOf(context, operation, { objects: "shared" });
  if (parent !== undefined && !isMadeWithin(context, reference.to, parent)) return undefined;
  const within = parent === undefined ? {} : namesIn(operation, names);
  const makes = makingOf(context, { resource: reference.to, as, within, ...fresh });
  return makes === undefined ? undefined : { makes, value: part(as, `/${reference.by ?? "id"}`) };
}

function othersCases(context: Context, naming: Naming): readonly Case[] {
  const { operation, reference } = naming;
  const failure = failureOf(context, operation, reference.missing);
  const owner = context.resources.get(reference.to)?.owner ?? [];
  if (failure === undefined || !owner.some((each) => each === "account" || each === "user")) return [];
  const makes = makingOf(context, { resource: reference.to, as: "foreign", by: "stranger" });
  if (makes === undefined) return [];
  return trial(context, naming, {
    about: "of-another-account",
    title: `that names another account's ${reference.to} is refused as if there were none`,
    makes,
    value: part("foreign", `/${reference.by ?? "id"}`),
    objects: "shared",
    failure,
  });
}

function otherParentCases(context: Context, naming: Naming): readonly Case[] {
  const { operation, reference, parent } = naming;
  const failure = failureOf(context, operation, reference.missing ?? reference.unfit);
  if (failure === undefined || parent === undefined) return [];
  const isWithin = isMadeWithin(context, reference.to, parent);
  // What cannot be told to be made in a certain object is made in another than the lane's.
  const outer = isWithin ? makingOf(context, { resource: parent, as: "other", fresh: true }) : [];
  const within = { [parent]: "other" };
  const makes = makingOf(context, { resource: reference.to, as: "elsewhere", within });
  if (outer === undefined || makes === undefined) return [];
  return trial(context, naming, {
    about: "of-another-parent",
    title: `that names a ${reference.to} of another ${parent} is refused as if there were none`,
    makes: [...outer, ...makes],
    value: part("elsewhere", `/${reference.by ?? "id"}`),
    objects: "shared",
    failure,
  });
}

/** The settings know how an object in the wrong condition comes to be: by the recipe of its resource with `@unfit`. */
function unfitCases(context: Context, naming: Naming): readonly Case[] {
  const { operation, reference } = naming;
  const failure = failureOf(context, operation, reference.unfit);
  if (failure === undefined || reference.where === undefined) return [];
  const makes = makingOf(context, { resource: `${reference.to}@unfit`, as: "unfit" });
  if (makes === undefined) return [];
  const cases = trial(context, naming, {
    about: "unfit",
    title: `that names a ${reference.to} in the wrong condition is refused`,
    makes,
    value: part("unfit", `/${reference.by ?? "id"}`),
    objects: "shared",
    failure,
  });
  return cases.map((each) => ({
    ...each,
    requirements: [...new Set([...each.requirements, ...requirementsOf(failure.sources)])],
  }));
}

function fittingCases(context: Context, naming: Naming): readonly Case[] {
  const good = fitting(context, naming, { fresh: true });
  if (good === undefined || naming.reference.missing === "create") return [];
  return trial(context, naming, {
    about: "fitting",
    title: `that names a ${naming.reference.to} is accepted`,
    makes: good.makes,
    value: good.value,
    objects: "own",
    failure: undefined,
  });
}

function madeByNameCases(context: Context, naming: Naming): readonly Case[] {
  const { operation, reference, field } = naming;
  const read = context.operations.get(context.resources.get(reference.to)?.read ?? "");
  const [parameter, ...more] = read === undefined ? [] : namingOf(read);
  if (reference.missing !== "create" || read === undefined || parameter === undefined || more.length > 0) return [];
  return trial(context, naming, {
    about: "made",
    title: `that names no ${reference.to} makes it`,
    makes: [],
    value: { $unique: "label" },
    objects: "own",
    failure: undefined,
  }).map((each) => {
    const steps = each.steps.map((step) =>
      "call" in step && step.call === operation.name ? { ...step, as: "answer" } : step,
    );
    const place = `answer#/request/body/${field.pointer.map((token) => (token === "*" ? "0" : token)).join("/")}`;
    const path = { [parameter.name]: { $get: place } };
    const remove = context.resources.get(reference.to)?.delete;
    // Nobody else knows that it was made.
    const cleaned = remove === undefined ? [] : [given({ call: remove, path })];
    return { ...each, steps: [...steps, { call: read.name, path }, ...cleaned] };
  });
}

/** A refused request changes nothing: one case an operation. */
function nothingMadeCases(context: Context, fields: readonly Naming[]): readonly Case[] {
  const naming = fields.find(({ operation, reference }) => failureOf(context, operation, reference.missing));
  if (naming === undefined) return [];
  const { operation, reference, field } = naming;
  const failure = failureOf(context, operation, reference.missing);
  const plan = planOf(context, operation, { objects: "own" });
  const isItem = field.pointer.at(-1) === "*";
  const good = isItem ? fitting(context, naming, { fresh: true }) : undefined;
  const value = nobodysId(context, field.shape);
  const call = callNaming(context, {
    naming,
    plan,
    value,
    failure,
    ...(good === undefined ? {} : { first: good.value }),
  });
  const watched = watching(context, operation, { plan, named: good === undefined ? undefined : reference.to });
  if (call === undefined || watched.length === 0) return [];
  return [
    caseOf(context, {
      operation,
      kind: "references",
      about: ["refused-changes-nothing"],
      title: `${operation.summary ?? operation.name}: a request that names what is not there changes nothing`,
      requirements: naming.requirements,
      needs: plan.needs,
      alone: plan.alone,
      steps: [
        ...plan.before,
        ...(good?.makes ?? []),
        { settle: true },
        ...watched.map(({ read }, index) => given({ ...read, as: `before${index}` })),
        call,
        { settle: true },
        ...watched.map(({ read, part: of }, index): Step => ({
          ...read,
          expect: { body: same(`before${index}`, of) },
        })),
      ],
    }),
  ];
}

interface Watched {
  readonly read: CallStep;
  /** The field of the answer that has to stay; the whole when absent. */
  readonly part?: string;
}

/** What a request could have changed: the object of the path, what is listed of the kind that is made, and an object that it names. */
function watching(
  context: Context,
  operation: Operation,
  { plan, named }: { readonly plan: Plan; readonly named: string | undefined },
): readonly Watched[] {
  const names = namesIn(operation, plan.names);
  const target = namingOf(operation).at(-1)?.reference.to ?? "";
  const made = madeBy(context.api, operation);
  const list = context.operations.get(made?.resource.list ?? "");
  const total = list?.pagination?.envelope.total;
  const listed = list === undefined ? undefined : callOn(list, names);
  const reads = [
    readOf(context, context.resources.get(target), names),
    named === undefined ? undefined : readOf(context, context.resources.get(named), { [named]: calledNamed(named) }),
  ];
  return [
    ...reads.filter((each) => each !== undefined).map((read) => ({ read })),
    ...(listed === undefined || total === undefined ? [] : [{ read: listed, part: total }]),
  ];
}

function same(name: string, of: string | undefined): Template {
  if (of === undefined) return { const: { $get: `${name}#/body` } };
  return { properties: { [of]: { const: { $get: `${name}#/body/${of}` } } }, required: [of] };
}
