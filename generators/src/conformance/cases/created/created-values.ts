import type { Case, Step, Template } from "@plumbline/conformance-runtime";
import { requirementIds } from "../../context/context.js";
import { type BodyCaseContext } from "../../requests/body-request.js";
import { createdResource } from "../../requests/created-resources.js";
import { callStep } from "../../requests/request-plan.js";
import { createAcceptedCase, isFieldInResponse, readStep } from "../bodies/body-cases.js";

import { branchBodies, withSources, withoutOptional, preparedWith, bodyWithAll } from "./created-bodies.js";
import { listOfCreated, callerOfOwnList, calledBy, itemLists } from "./created-lists.js";
import { platformDefaults, expectedFields, type ExpectedField, expectedFieldsSchema } from "./response-fields.js";
/**
 * Cases of what a created object shows: given values and the values of absent fields, in the response, when it is read, in its list, and in
 * the lists of the objects that it is created with. One case for each branch of the body without optional fields, and one with all of them.
 */
export function createdValueCases(around: BodyCaseContext): readonly Case[] {
  const { context, operation, read, responseSchema } = around;
  const resource = createdResource(context.api, operation)?.resource;
  if (resource === undefined || responseSchema === undefined) return [];
  if (read === undefined && context.operations.get(resource.list ?? "") === undefined) return [];
  const branches = branchBodies(around);
  const given = branches
    .map(({ body }) => bodyWithAll(around, withSources(around, body)))
    .toSorted((a, b) => JSON.stringify(b).length - JSON.stringify(a).length)
    .slice(0, 1);
  return [
    ...branches.flatMap(({ name, body }) =>
      createdCases(around, {
        what: `defaults${name === "" ? "" : `-of-${name}`}`,
        says: `${name === "" ? "" : `${name}: `}absent fields are shown with their defaults, in lists too`,
        body: withSources(around, withoutOptional(around, body)),
        others: context.settings.operations[operation.name]?.others ?? {},
      }),
    ),
    ...given.flatMap((body) =>
      createdCases(around, { what: "given", says: "all given values are shown, in lists too", body }),
    ),
  ];
}

interface CreatedBody {
  readonly what: string;
  readonly says: string;
  readonly body: Template;
  /** Values from which derived defaults differ visibly. */
  readonly others?: Readonly<Record<string, Template>>;
}

function createdCases(around: BodyCaseContext, { what, says, body: given, others = {} }: CreatedBody): readonly Case[] {
  const { context, own, operation, read } = around;
  const standing = preparedWith(around, given, others);
  if (standing === undefined) return [];
  const shown = expectedFields(around, standing.body);
  const platform = platformDefaults(around, standing.body);
  const list = listOfCreated(around);
  const items = itemLists(around, standing.body);
  const isKnown = ({ value }: ExpectedField): boolean => !JSON.stringify(value).includes('"answer#/');
  const all = [...shown, ...platform];
  if (all.length === 0) return [];
  const caller = callerOfOwnList(around, list?.operation);
  const by = caller === undefined ? {} : { by: { user: caller } };
  const inList =
    list === undefined ? [] : all.filter(({ pointer }) => isFieldInResponse(context, [list.item], pointer));
  const id = { $get: `answer#/body/${list?.id ?? "id"}` };
  const isListed = { properties: { [list?.id ?? "id"]: { const: id } }, required: [list?.id ?? "id"] };
  const steps: readonly Step[] = [
    ...(caller === undefined ? [] : [{ actor: { account: "other" as const }, as: caller }]),
    ...standing.setupSteps.map((step) => calledBy(step, caller)),
    {
      ...callStep(own, { body: standing.body, ...by }),
      as: "answer",
      expect: { body: expectedFieldsSchema(all.filter(isKnown)) },
    },
    ...(read === undefined ? [] : [{ ...readStep(around), ...by, expect: { body: expectedFieldsSchema(all) } }]),
    ...(list === undefined
      ? []
      : [
          {
            call: list.operation.name,
            ...(Object.keys(list.path).length === 0 ? {} : { path: list.path }),
            ...(own.call.by === undefined ? {} : { by: own.call.by }),
            ...by,
            as: "list",
            expect: {
              body: { properties: { [list.items]: { contains: isListed } }, required: [list.items] },
              requirements: [...requirementIds(list.operation.sources)],
            },
          },
          ...(inList.length === 0
            ? []
            : [
                {
                  check: { $find: [{ $get: `list#/body/${list.items}` }, isListed] },
                  matches: expectedFieldsSchema(inList),
                  message: `${list.operation.name} shows other values than the creation.`,
                },
              ]),
        ]),
    ...items.map((each) => ({
      call: each.operation.name,
      path: { [each.parameter]: id },
      ...(own.call.by === undefined ? {} : { by: own.call.by }),
      ...by,
      expect: { body: { properties: { [each.items]: each.schema }, required: [each.items] } },
    })),
  ];
  const requirements = [
    ...new Set([
      ...all.flatMap((each) => each.requirements),
      ...items.flatMap((each) => each.requirements),
      ...(list === undefined ? [] : requirementIds(list.operation.sources)),
    ]),
  ];
  return [
    createAcceptedCase(
      around,
      {
        kind: "values",
        idParts: ["created", what],
        title: `${operation.summary ?? operation.name}: ${says}`,
        requirements: requirements.length === 0 ? around.requirements : requirements,
      },
      steps,
    ),
  ];
}
