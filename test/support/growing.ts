import { describeOperations } from "../bench/large.js";

/** Descriptions that grow along one axis each, by what grows. */
export const axes: Readonly<Record<string, (size: number) => string>> = {
  operations: describeOperations,
  "named branches": (size) => describeSchema(`{anyOf: [${list(size, refTo)}]}`, list(size, namedBranch)),
  "selected branches": (size) =>
    describeSchema(`{oneOf: [${list(size, refTo)}], discriminator: {propertyName: kind}}`, list(size, namedBranch)),
  "branches of texts": (size) => describeSchema(`{anyOf: [${list(size, (each) => `{const: text-${each}}`)}]}`),
  "values of an enum": (size) => describeSchema(`{type: string, enum: [${list(size, (each) => `value-${each}`)}]}`),
};

/** Descriptions of one body that grows. A suite has a case for each of its fields, and each case sends all of them. */
export const bodyAxes: Readonly<Record<string, (size: number) => string>> = {
  "branches without names": (size) => describeSchema(`{oneOf: [${list(size, branch)}]}`),
  "parts of allOf": (size) => describeSchema(`{allOf: [${list(size, branch)}]}`),
  properties: (size) =>
    describeSchema(`{type: object, properties: {${list(size, (each) => `field${each}: {type: string}`)}}}`),
  "required properties": (size) =>
    describeSchema(
      `{type: object, required: [${list(size, (each) => `field${each}`)}], properties: {${list(size, (each) => `field${each}: {type: integer, minimum: ${each}}`)}}}`,
    ),
};

/** A chain of named objects, each an extension of the one before, so that the type of each has the fields of all before it. */
export function describeChain(size: number): string {
  return describeSchema(refTo(size - 1), list(size, step));
}

function list(size: number, print: (index: number) => string): string {
  return Array.from({ length: size }, (_, index) => print(index)).join(", ");
}

function refTo(index: number): string {
  return `{$ref: '#/components/schemas/Part${index}'}`;
}

/** An object with properties of its own. */
function branch(index: number): string {
  return `{type: object, required: [kind${index}], properties: {kind${index}: {const: Part${index}}, size${index}: {type: integer, maximum: 9}}}`;
}

function namedBranch(index: number): string {
  return `Part${index}: {type: object, required: [kind], properties: {kind: {const: Part${index}}, size: {type: integer, maximum: 9}}}`;
}

function step(index: number): string {
  return `Part${index}: {allOf: [${index === 0 ? "" : `${refTo(index - 1)}, `}{properties: {field${index}: {type: string}}}]}`;
}

/** One operation whose body and response have a schema. */
function describeSchema(schema: string, schemas = ""): string {
  const content = `{application/json: {schema: {$ref: '#/components/schemas/Thing'}}}`;
  return `openapi: 3.1.0
info: {title: A large API, version: 1.0.0}
paths:
  /things:
    post:
      operationId: createThing
      requestBody: {required: true, content: ${content}}
      responses: {'201': {description: Done., content: ${content}}}
components: {schemas: {Thing: ${schema}${schemas === "" ? "" : `, ${schemas}`}}}
`;
}
