/** The tags of a description, one file of the client each; the files of the package contain the title, too. */
export interface Version {
  readonly title: string;
  readonly areas: readonly string[];
}

/** A description with a list and a create for each tag. */
export function describeAreas({ title, areas }: Version): string {
  return `openapi: 3.1.0
info: {title: ${title}, version: 1.0.0, license: {name: MIT, identifier: MIT}}
servers: [{url: https://shop.example}]
security: []
paths:
${areas.map((area) => pathsOf(area, title)).join("")}components:
  schemas:
${areas.map(schemasOf).join("")}`;
}

function pathsOf(area: string, title: string): string {
  return `  /${area}:
    get:
      operationId: list-${area}
      tags: [${area}]
      summary: List the ${area} of ${title}
      parameters: [{name: page, in: query, schema: {type: integer, minimum: 1}}]
      responses:
        '200': {description: All, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/${area}'}}}}}
        '400': {description: No.}
    post:
      operationId: create-${area}
      tags: [${area}]
      summary: Create one
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/${area}'}}}}
      responses:
        '201': {description: It., content: {application/json: {schema: {$ref: '#/components/schemas/${area}'}}}}
        '400': {description: No.}
`;
}

function schemasOf(area: string): string {
  return `    ${area}: {type: object, required: [id], properties: {id: {type: integer, readOnly: true}, name: {type: string, maxLength: 80}}}
`;
}
