import type { CallStep, Case, Step, Template } from "@plumbline/conformance-runtime";
import type { Operation } from "../model/api.js";
import { caseOf, type Context } from "./context.js";
import { madeBy } from "./facts.js";
import { given, planOf, type Plan } from "./plans.js";
import { calledNamed } from "./reference-bodies.js";
import { callNaming, fitting } from "./reference-calls.js";
import type { Naming } from "./reference-fields.js";
import { callOn, failureOf, namesIn, namingOf, nobodysId, readOf } from "./resource-paths.js";

/** One case for each operation: a rejected request changes nothing. */
export function nothingMadeCases(context: Context, fields: readonly Naming[]): readonly Case[] {
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
      title: `${operation.summary ?? operation.name}: a request that references a missing object changes nothing`,
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
  /** The response field that must stay equal. Absent: the complete body. */
  readonly part?: string;
}

/** What the request could change: the path's object, the list of created objects, and a referenced object. */
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
