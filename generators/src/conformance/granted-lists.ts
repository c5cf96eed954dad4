import type { Case, MakeStep, Template } from "@plumbline/conformance-runtime";
import type { Json, Operation, Resource } from "../model/api.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { grantId, grantsOf } from "./grantees.js";
import { jsonSchemaOf } from "./json-schema.js";
import { nameOf } from "./plans.js";
import { schemeRequirements } from "./schemes.js";
import { literalOf } from "./samples.js";

/** Cases of lists for restricted users: objects on which they hold a grant, and public ones. */
export function listCases(context: Context): readonly Case[] {
  return context.api.resources.flatMap((resource) => {
    const list = context.operations.get(resource.list ?? "");
    if (resource.grants === undefined || list === undefined || list.path.includes("{")) return [];
    if (context.settings.recipes[resource.name] === undefined) return [];
    return casesOf(context, resource, list);
  });
}

function casesOf(context: Context, resource: Resource, list: Operation): readonly Case[] {
  const { pagination } = list;
  if (pagination === undefined || resource.grants === undefined) return [];
  const granted: MakeStep = { make: resource.name, as: nameOf(resource.name) };
  const hidden: MakeStep = { ...granted, as: "hidden", fresh: true };
  const id: Template = { $get: `${granted.as}#/id` };
  const open: Template | undefined =
    resource.public === undefined
      ? undefined
      : literalOf(JSON.parse(JSON.stringify(jsonSchemaOf(resource.public))) as Json);
  const items = (own: Template | undefined): Template => {
    const fitting = [...(open === undefined ? [] : [open]), ...(own === undefined ? [] : [own])];
    return fitting.length === 0 ? { type: "array", maxItems: 0 } : { type: "array", items: { anyOf: fitting } };
  };
  const itself: Template = { properties: { id: { const: id } }, required: ["id"] };
  const levels = Object.keys(context.api.scopes?.levels ?? {});
  const [level = "read_only"] = levels;
  const shown = (about: string, title: string, grants: Template, schema: Template): Case =>
    caseOf(context, {
      operation: list,
      kind: "grants",
      about: ["grants", "list", about],
      title: `${list.name} shows a restricted user ${title}`,
      requirements: [
        ...requirementsOf(resource.sources),
        ...requirementsOf(list.sources),
        ...schemeRequirements(context, "grants"),
      ],
      steps: [
        granted,
        ...(about === "one" ? [hidden] : []),
        {
          call: list.name,
          by: { grants },
          expect: { body: { type: "object", properties: { [pagination.envelope.items]: schema } } },
        },
      ],
    });
  return [
    shown("none", "no objects without a grant", grantsOf(context, []), items(undefined)),
    shown(
      "one",
      "the objects on which it holds a grant, and no others",
      { ...grantsOf(context, []), [resource.grants]: [{ id: grantId(context, resource, id), permissions: level }] },
      { allOf: [items(itself), { contains: itself }] },
    ),
  ];
}
