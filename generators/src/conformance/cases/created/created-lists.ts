import type { Step, Template } from "@plumbline/conformance-runtime";
import { findJsonContent, type Operation, type Schema, schemaParts, statedLimits } from "@plumbline/kit/model";
import { type ConformanceContext } from "../../context/context.js";
import { bodyCaseContext, type BodyCaseContext } from "../../requests/body-request.js";
import { createdResource, creatorsOf } from "../../requests/created-resources.js";
import { valueAt } from "../../values/body-mutations.js";
import { isTemplateList } from "../../values/partial-evaluation.js";
import { isFieldInResponse } from "../bodies/body-cases.js";
import { expectedFields, expectedFieldsSchema } from "./response-fields.js";
/** The list of what the operation creates. */
export interface ListOfCreated {
  readonly operation: Operation;
  readonly items: string;
  readonly item: Schema;
  readonly id: string;
  readonly path: Readonly<Record<string, Template>>;
}

export function listOfCreated({ context, operation, own }: BodyCaseContext): ListOfCreated | undefined {
  const resource = createdResource(context.api, operation)?.resource;
  const list = context.operations.get(resource?.list ?? "");
  const items = list?.pagination?.envelope.items;
  const item = list === undefined || items === undefined ? undefined : itemSchema(context, list, items);
  if (list === undefined || items === undefined || item === undefined) return undefined;
  const parameters = list.parameters.filter((each) => each.in === "path");
  const path = Object.fromEntries(
    parameters.flatMap(({ name }) => {
      const value = own.call.path?.[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  if (Object.keys(path).length < parameters.length) return undefined;
  const readOperation = context.operations.get(resource?.read ?? "");
  const id = readOperation?.parameters.findLast((each) => each.in === "path")?.reference?.by ?? "id";
  return { operation: list, items, item, id, path };
}

function itemSchema(context: ConformanceContext, list: Operation, items: string): Schema | undefined {
  const response = list.responses.find(({ status }) => status === 200);
  const schema = response && findJsonContent(response.contents)?.schema;
  const properties =
    schema === undefined ? [] : schemaParts(context.api, schema).flatMap((part) => part.properties ?? []);
  return properties
    .filter(({ name }) => name === items)
    .flatMap((each) => schemaParts(context.api, each.schema))
    .find((part) => part.items !== undefined)?.items;
}

/** The name of a new account, whose list has no other objects. Undefined within an object of the case's own. */
export function callerOfOwnList({ context, own }: BodyCaseContext, list: Operation | undefined): string | undefined {
  const isNested = Object.keys(own.call.path ?? {}).length > 0;
  // Without a way to create accounts, the list has other items.
  if (context.settings.actors.user === undefined) return undefined;
  return list === undefined || isNested || own.call.by !== undefined ? undefined : "owner";
}

export function calledBy(step: Step, caller: string | undefined): Step {
  if (caller === undefined) return step;
  if ("make" in step) return { ...step, by: step.by ?? { user: caller } };
  return "call" in step && !step.call.startsWith("controls:") ? { ...step, by: step.by ?? { user: caller } } : step;
}

/** The list of the objects that are created with another one, in the order of the body. */
interface ItemList {
  readonly operation: Operation;
  readonly parameter: string;
  readonly items: string;
  readonly schema: Template;
  readonly requirements: readonly string[];
}

export function itemLists({ context, operation, fields }: BodyCaseContext, body: Template): readonly ItemList[] {
  const parent = createdResource(context.api, operation)?.resource;
  return context.api.resources.flatMap((child): readonly ItemList[] => {
    if (parent === undefined || child.parent !== parent.name) return [];
    const list = context.operations.get(child.list ?? "");
    const items = list?.pagination?.envelope.items;
    const parameters = list?.parameters.filter((each) => each.in === "path") ?? [];
    const [parameter] = parameters;
    const around = creatorsOf(context.api, child)
      .filter((each) => each !== operation)
      .map((each) => bodyCaseContext(context, each))
      .find((each) => each !== undefined);
    if (list === undefined || items === undefined || parameter === undefined || parameters.length > 1) return [];
    if (around === undefined) return [];
    const item = itemSchema(context, list, items);
    const field = fields.find(
      ({ pointer, layers }) =>
        pointer.length === 1 &&
        layers.some((part) => part.items?.ref !== undefined && part.items.ref === around.schema.ref),
    );
    const sent = field === undefined ? undefined : valueAt(body, field.pointer);
    if (item === undefined || field === undefined || !isTemplateList(sent) || sent.length === 0) return [];
    const expectedItems = sent.map((each) =>
      expectedFields(around, each).filter(({ pointer }) => isFieldInResponse(context, [item], pointer)),
    );
    return [
      {
        operation: list,
        parameter: parameter.name,
        items,
        schema: {
          type: "array",
          ...statedLimits("items", { least: sent.length, most: sent.length }),
          prefixItems: expectedItems.map(expectedFieldsSchema),
        },
        requirements: expectedItems.flatMap((each) => each.flatMap(({ requirements }) => requirements)),
      },
    ];
  });
}
