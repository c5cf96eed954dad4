import type { Case, Template } from "@plumbline/conformance-runtime";
import type { Json, Operation, Resource } from "../model/api.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { jsonSchemaOf } from "./json-schema.js";
import { nameOf, planOf } from "./plans.js";
import { refusedWith } from "./refused.js";
import { literalOf } from "./samples.js";

/** Cases of lists that are partly public: anonymous callers see the public objects, callers with a token also their own. */
export function openCases(context: Context): readonly Case[] {
  return context.api.resources.flatMap((resource) => {
    const list = context.operations.get(resource.list ?? "");
    const read = context.operations.get(resource.read ?? "");
    if (resource.public === undefined || resource.owner.includes("platform")) return [];
    return [
      ...(list === undefined ? [] : listedCases(context, resource, list)),
      ...(read === undefined || list === undefined ? [] : readCases(context, resource, { read, list })),
    ];
  });
}

function listedCases(context: Context, resource: Resource, list: Operation): readonly Case[] {
  const items = list.pagination?.envelope.items;
  if (items === undefined || list.path.includes("{") || !isOpen(list)) return [];
  const as = nameOf(resource.name);
  const own: Template = { properties: { id: { const: { $get: `${as}#/id` } } }, required: ["id"] };
  const shown = (about: string, title: string, schema: Template): Case =>
    caseOf(context, {
      operation: list,
      kind: "security",
      about: ["security", "public", about],
      title,
      requirements: [...requirementsOf(resource.sources), ...requirementsOf(list.sources)],
      steps: [
        { make: resource.name, as },
        {
          call: list.name,
          ...(about === "anonymous" ? { by: "anonymous" as const } : {}),
          expect: { body: { type: "object", properties: { [items]: schema }, required: [items] } },
        },
      ],
    });
  return [
    shown("anonymous", `${list.name} shows an anonymous caller only public objects`, {
      type: "array",
      minItems: 1,
      items: openSchema(resource),
    }),
    shown("own", `${list.name} shows a caller its own and public objects`, {
      allOf: [{ contains: own }, { contains: openSchema(resource) }],
    }),
  ];
}

function readCases(
  context: Context,
  resource: Resource,
  { read, list }: { readonly read: Operation; readonly list: Operation },
): readonly Case[] {
  const items = list.pagination?.envelope.items;
  const own = read.parameters.findLast((each) => each.in === "path");
  if (items === undefined || own === undefined || list.path.includes("{") || !isOpen(read)) return [];
  const plan = planOf(context, read, { objects: "shared" });
  const missing = refusedWith(context, read, { usual: [404] });
  const key = own.reference?.by ?? "id";
  const requirements = [...requirementsOf(resource.sources), ...requirementsOf(read.sources)];
  return [
    caseOf(context, {
      operation: read,
      kind: "security",
      about: ["security", "public", "private"],
      title: `${read.name} does not show an anonymous caller private objects`,
      requirements: [...requirements, ...missing.requirements],
      needs: plan.needs,
      steps: [...plan.before, { ...plan.call, by: "anonymous", expect: missing.expect }],
    }),
    caseOf(context, {
      operation: read,
      kind: "security",
      about: ["security", "public", "anonymous"],
      title: `${read.name} shows an anonymous caller public objects`,
      requirements,
      // Objects in the list of an anonymous caller are public.
      steps: [
        { call: list.name, by: "anonymous", as: "list", given: true },
        { call: read.name, by: "anonymous", path: { [own.name]: { $get: `list#/body/${items}/0/${key}` } } },
      ],
    }),
  ];
}

function isOpen({ security }: Operation): boolean {
  return security.length === 0 || security.some((alternative) => alternative.length === 0);
}

function openSchema({ public: open }: Resource): Template {
  return open === undefined ? true : literalOf(JSON.parse(JSON.stringify(jsonSchemaOf(open))) as Json);
}
