import type { Case, Step, Template } from "@plumbline/conformance-runtime";
import type { Failure } from "../model/api.js";
import { fieldsOf, type Field } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { given, planOf, type PlanOptions } from "./plans.js";
import { isMadeWithin, makingOf } from "./reference-bodies.js";
import { callNaming, fitting } from "./reference-calls.js";
import { nothingMadeCases } from "./reference-changes.js";
import { namedBy, type Naming } from "./reference-fields.js";
import { failureOf, namingOf, nobodysId, part } from "./resource-paths.js";

/** Cases of references in bodies: the object must exist, be visible to the caller, have the right parent and meet the condition. */
export function referenceCases(context: Context): readonly Case[] {
  return context.api.operations.flatMap((operation) => {
    const shape = operation.body && jsonContent(operation.body.contents)?.shape;
    if (shape === undefined) return [];
    const fields = fieldsOf(context.api, shape).flatMap((field) => namedBy(context, operation, { shape, field }));
    return [...fields.flatMap((each) => casesOf(context, each)), ...nothingMadeCases(context, fields)];
  });
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
  /** Steps that create the referenced object. */
  readonly makes: readonly Step[];
  readonly value: Template;
  readonly objects: PlanOptions["objects"];
  readonly failure: Failure | undefined;
  /** An item before it in a list. */
  readonly first?: Template;
}

/** A case of a valid request with this reference. */
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
      requirements: naming.requirements.length > 0 ? naming.requirements : requirementsOf(operation.sources),
      needs: plan.needs,
      alone: plan.alone,
      steps: [...plan.before, ...makes, call],
    }),
  ];
}

function wayOf({ pointer }: Field): readonly string[] {
  return ["body", pointer.map((each) => (each === "*" ? "item" : each)).join(".")];
}

function missingCases(context: Context, naming: Naming): readonly Case[] {
  const { operation, reference, field } = naming;
  const failure = failureOf(context, operation, reference.missing);
  if (failure === undefined) return [];
  const value = nobodysId(context, field.shape);
  const title = `with a missing ${reference.to} is rejected`;
  const alone = trial(context, naming, { about: "missing", title, makes: [], value, objects: "shared", failure });
  if (field.pointer.at(-1) !== "*") return alone;
  const good = fitting(context, naming);
  if (good === undefined) return alone;
  return [
    ...alone,
    ...trial(context, naming, {
      about: "second-missing",
      title: `with a missing ${reference.to} as second item is rejected for the second`,
      makes: good.makes,
      first: good.value,
      value,
      objects: "shared",
      failure,
    }),
  ];
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
    title: `with a ${reference.to} of another account is rejected like a missing one`,
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
  // A recipe without an input for the parent creates its own parent.
  const outer = isWithin ? makingOf(context, { resource: parent, as: "other", fresh: true }) : [];
  const within = { [parent]: "other" };
  const makes = makingOf(context, { resource: reference.to, as: "elsewhere", within });
  if (outer === undefined || makes === undefined) return [];
  return trial(context, naming, {
    about: "of-another-parent",
    title: `with a ${reference.to} of another ${parent} is rejected like a missing one`,
    makes: [...outer, ...makes],
    value: part("elsewhere", `/${reference.by ?? "id"}`),
    objects: "shared",
    failure,
  });
}

/** The recipe `Resource@unfit` of the settings creates an object that does not meet the condition. */
function unfitCases(context: Context, naming: Naming): readonly Case[] {
  const { operation, reference } = naming;
  const failure = failureOf(context, operation, reference.unfit);
  if (failure === undefined || reference.where === undefined) return [];
  const makes = makingOf(context, { resource: `${reference.to}@unfit`, as: "unfit" });
  if (makes === undefined) return [];
  const cases = trial(context, naming, {
    about: "unfit",
    title: `with a ${reference.to} that does not meet the condition is rejected`,
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
    title: `with an existing ${naming.reference.to} is accepted`,
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
    title: `with a missing ${reference.to} creates it`,
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
    // The run does not know of this object, so the case deletes it.
    const cleaned = remove === undefined ? [] : [given({ call: remove, path })];
    return { ...each, steps: [...steps, { call: read.name, path }, ...cleaned] };
  });
}
