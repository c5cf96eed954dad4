import type { Case, MakeStep, Template } from "@plumbline/conformance-runtime";
import { type Json, type Operation, type Resource, statedLimits } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { objectName } from "../../context/object-name.js";
import { schemeRequirements } from "../../context/security-schemes.js";
import { callerInWords, callerWithGrants } from "../../context/suite-callers.js";
import { jsonSchemaOf } from "../../values/json-schema.js";
import { toLiteral } from "../../values/samples.js";
import { entityId, grantsTemplate } from "./required-grants.js";

/** Cases of lists for users who need grants: objects on which they hold a grant, and public ones. */
export function grantedListCases(context: ConformanceContext): readonly Case[] {
  return context.api.resources.flatMap((resource) => {
    const list = context.operations.get(resource.list ?? "");
    if (resource.grants === undefined || list === undefined || list.path.includes("{")) return [];
    if (context.settings.fixtures[resource.name] === undefined) return [];
    return casesOf(context, resource, list);
  });
}

function casesOf(context: ConformanceContext, resource: Resource, list: Operation): readonly Case[] {
  const listed = list.pagination?.envelope.items;
  const caller = callerWithGrants(context.api, list);
  if (listed === undefined || resource.grants === undefined || caller === undefined) return [];
  const granted: MakeStep = { make: resource.name, as: objectName(resource.name) };
  const hidden: MakeStep = { ...granted, as: "hidden", fresh: true };
  const id: Template = { $get: `${granted.as}#/id` };
  const open: Template | undefined =
    resource.public === undefined
      ? undefined
      : toLiteral(JSON.parse(JSON.stringify(jsonSchemaOf(resource.public))) as Json);
  const items = (grantedItem: Template | undefined): Template => {
    const fitting = [...(open === undefined ? [] : [open]), ...(grantedItem === undefined ? [] : [grantedItem])];
    return fitting.length === 0
      ? { type: "array", ...statedLimits("items", { most: 0 }) }
      : { type: "array", items: { anyOf: fitting } };
  };
  const itself: Template = { properties: { id: { const: id } }, required: ["id"] };
  const levels = Object.keys(context.api.scopeGrammar?.levels ?? {});
  const [level = "read_only"] = levels;
  const listCase = (about: string, title: string, grants: Template | undefined, schema: Template): Case =>
    createCase(context, {
      operation: list,
      kind: "grants",
      idParts: ["grants", "list", about],
      title: `${list.name} shows ${callerInWords(context.api, caller)} ${title}`,
      requirements: [
        ...requirementIds(resource.sources),
        ...requirementIds(list.sources),
        ...schemeRequirements(context, "grants"),
      ],
      steps: [
        granted,
        ...(about === "one" ? [hidden] : []),
        {
          call: list.name,
          by: { caller, ...(grants === undefined ? {} : { grants }) },
          expect: { body: { type: "object", properties: { [listed]: schema } } },
        },
      ],
    });
  return [
    listCase("none", "no objects without a grant", grantsTemplate(context, []), items(undefined)),
    listCase(
      "one",
      "the objects on which it holds a grant, and no others",
      {
        ...grantsTemplate(context, []),
        [resource.grants]: [{ id: entityId(context, resource, id), permissions: level }],
      },
      { allOf: [items(itself), { contains: itself }] },
    ),
  ];
}
