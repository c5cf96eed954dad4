import type { Caller, Case, Step, Template } from "@plumbline/conformance-runtime";
import { requirementIds } from "../../context/context.js";
import { type BodyCaseContext } from "../../requests/body-request.js";
import { createdResource } from "../../requests/created-resources.js";
import { callStep } from "../../requests/request-plan.js";
import { createAcceptedCase, isFieldInResponse, readStep } from "../bodies/body-cases.js";
import { branchBodies, withSources, withoutOptional, preparedWith, bodyWithAll } from "./created-bodies.js";
import { listOfCreated, callerOfOwnList, calledBy, itemLists, type ListOfCreated } from "./created-lists.js";
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
  const fullestBodies = branches
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
    ...fullestBodies.flatMap((body) =>
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

function createdCases(around: BodyCaseContext, { what, says, body, others = {} }: CreatedBody): readonly Case[] {
  const { own, operation, read } = around;
  const standing = preparedWith(around, body, others);
  if (standing === undefined) return [];
  const fields = [...expectedFields(around, standing.body), ...platformDefaults(around, standing.body)];
  if (fields.length === 0) return [];
  const list = listOfCreated(around);
  const owner = callerOfOwnList(around, list?.operation);
  const by: Caller | undefined = owner === undefined ? own.call.by : { user: owner };
  const items = itemLists(around, standing.body);
  const steps: readonly Step[] = [
    ...(owner === undefined ? [] : [{ actor: { account: "other" as const }, as: owner }]),
    ...standing.setupSteps.map((step) => calledBy(step, owner)),
    {
      ...callStep(own, { body: standing.body, by }),
      as: "answer",
      expect: { body: expectedFieldsSchema(fields.filter((each) => !refersToResponse(each))) },
    },
    ...(read === undefined ? [] : [{ ...readStep(around), by, expect: { body: expectedFieldsSchema(fields) } }]),
    ...(list === undefined ? [] : listSteps(around, list, { fields, by })),
    ...items.map((each) => ({
      call: each.operation.name,
      path: { [each.parameter]: { $get: `answer#/body/${list?.id ?? "id"}` } },
      by,
      expect: { body: { properties: { [each.items]: each.schema }, required: [each.items] } },
    })),
  ];
  const requirements = new Set([
    ...[...fields, ...items].flatMap((each) => each.requirements),
    ...(list === undefined ? [] : requirementIds(list.operation.sources)),
  ]);
  return [
    createAcceptedCase(
      around,
      {
        kind: "values",
        idParts: ["created", what],
        title: `${operation.summary ?? operation.name}: ${says}`,
        requirements: requirements.size === 0 ? around.requirements : [...requirements],
      },
      steps,
    ),
  ];
}

/** A value that only the response has, so that the response itself cannot be compared with it. */
function refersToResponse({ value }: ExpectedField): boolean {
  return JSON.stringify(value).includes('"answer#/');
}

interface ListedObject {
  readonly fields: readonly ExpectedField[];
  readonly by: Caller | undefined;
}

/** The list has the created object, with the same values where its items have the fields. */
function listSteps(
  { context }: BodyCaseContext,
  { operation, path, items, item, id }: ListOfCreated,
  { fields, by }: ListedObject,
): readonly Step[] {
  const isListed = { properties: { [id]: { const: { $get: `answer#/body/${id}` } } }, required: [id] };
  const listedFields = fields.filter(({ pointer }) => isFieldInResponse(context, [item], pointer));
  const listStep: Step = {
    call: operation.name,
    ...(Object.keys(path).length === 0 ? {} : { path }),
    by,
    as: "list",
    expect: {
      body: { properties: { [items]: { contains: isListed } }, required: [items] },
      requirements: [...requirementIds(operation.sources)],
    },
  };
  if (listedFields.length === 0) return [listStep];
  return [
    listStep,
    {
      check: { $find: [{ $get: `list#/body/${items}` }, isListed] },
      matches: expectedFieldsSchema(listedFields),
      message: `${operation.name} shows other values than the creation.`,
    },
  ];
}
