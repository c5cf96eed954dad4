import type { Case, Template } from "@plumbline/conformance-runtime";
import { type Json, type Operation, type Resource, statedLimits } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { objectName } from "../../context/object-name.js";
import { expectRejection } from "../../requests/expect-error.js";
import { planRequest } from "../../requests/request-plan.js";
import { jsonSchemaOf } from "../../values/json-schema.js";
import { toLiteral } from "../../values/samples.js";

/** Cases of lists that are partly public: anonymous callers see the public objects, callers with a token also their own. */
export function partlyPublicCases(context: ConformanceContext): readonly Case[] {
  return context.api.resources.flatMap((resource) => {
    const list = context.operations.get(resource.list ?? "");
    const readOperation = context.operations.get(resource.read ?? "");
    if (resource.public === undefined || resource.owner.includes("platform")) return [];
    return [
      ...(list === undefined ? [] : listedCases(context, resource, list)),
      ...(readOperation === undefined || list === undefined
        ? []
        : readCases(context, resource, { read: readOperation, list })),
    ];
  });
}

function listedCases(context: ConformanceContext, resource: Resource, list: Operation): readonly Case[] {
  const items = list.pagination?.envelope.items;
  if (items === undefined || list.path.includes("{") || !isPartlyPublic(list)) return [];
  const as = objectName(resource.name);
  const createdItem: Template = { properties: { id: { const: { $get: `${as}#/id` } } }, required: ["id"] };
  const listCase = (about: string, title: string, schema: Template): Case =>
    createCase(context, {
      operation: list,
      kind: "security",
      idParts: ["security", "public", about],
      title,
      requirements: [...requirementIds(resource.sources), ...requirementIds(list.sources)],
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
    listCase("anonymous", `${list.name} shows an anonymous caller only public objects`, {
      type: "array",
      ...statedLimits("items", { least: 1 }),
      items: publicItemSchema(resource),
    }),
    listCase("own", `${list.name} shows a caller its own and public objects`, {
      allOf: [{ contains: createdItem }, { contains: publicItemSchema(resource) }],
    }),
  ];
}

function readCases(
  context: ConformanceContext,
  resource: Resource,
  { read, list }: { readonly read: Operation; readonly list: Operation },
): readonly Case[] {
  const items = list.pagination?.envelope.items;
  const pathParameter = read.parameters.findLast((each) => each.in === "path");
  if (items === undefined || pathParameter === undefined || list.path.includes("{") || !isPartlyPublic(read)) return [];
  const plan = planRequest(context, read, { objects: "shared" });
  const missing = expectRejection(context, read, { defaultStatuses: [404] });
  const key = pathParameter.reference?.by ?? "id";
  const requirements = [...requirementIds(resource.sources), ...requirementIds(read.sources)];
  return [
    createCase(context, {
      operation: read,
      kind: "security",
      idParts: ["security", "public", "private"],
      title: `${read.name} does not show an anonymous caller private objects`,
      requirements: [...requirements, ...missing.requirements],
      requires: plan.requires,
      steps: [...plan.setupSteps, { ...plan.call, by: "anonymous", expect: missing.expect }],
    }),
    createCase(context, {
      operation: read,
      kind: "security",
      idParts: ["security", "public", "anonymous"],
      title: `${read.name} shows an anonymous caller public objects`,
      requirements,
      // Objects in the list of an anonymous caller are public.
      steps: [
        { call: list.name, by: "anonymous", as: "list", setup: true },
        { call: read.name, by: "anonymous", path: { [pathParameter.name]: { $get: `list#/body/${items}/0/${key}` } } },
      ],
    }),
  ];
}

function isPartlyPublic({ security }: Operation): boolean {
  return security.length === 0 || security.some((alternative) => alternative.length === 0);
}

function publicItemSchema({ public: open }: Resource): Template {
  return open === undefined ? true : toLiteral(JSON.parse(JSON.stringify(jsonSchemaOf(open))) as Json);
}
