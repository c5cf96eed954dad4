/** A description with so many operations, five a resource: each resource has schemas, parameters and errors of its own, and all share some. */
export function describeOperations(count: number): string {
  const resources = Array.from({ length: Math.ceil(count / 5) }, (_, index) => `thing${index}`);
  let left = count;
  const paths = resources.map((name) => {
    const operations = Math.min(left, 5);
    left -= operations;
    return pathsOf(name, operations);
  });
  return `openapi: 3.1.0
info: {title: A large API, version: 1.0.0, license: {name: MIT, identifier: MIT}}
servers: [{url: https://large.example}]
security: [{token: []}]
paths:
${paths.join("")}components:
  securitySchemes: {token: {type: http, scheme: bearer}}
  parameters:
    page: {name: page, in: query, description: Which page., schema: {type: integer, minimum: 1, default: 1}}
    size: {name: page_size, in: query, schema: {type: integer, minimum: 1, maximum: 100}}
  responses:
    NotFound: {description: There is none., content: {application/json: {schema: {$ref: '#/components/schemas/Problem'}}}}
  schemas:
    Problem: {type: object, required: [code], properties: {code: {type: string}, details: {type: array, items: {type: string}}}}
    Timestamp: {type: string, format: date-time, description: When it happened.}
${resources.map(schemasOf).join("")}`;
}

function pathsOf(name: string, operations: number): string {
  const area = `area ${Math.floor(Number(name.slice("thing".length)) / 4)}`;
  const one = `'#/components/schemas/${name}'`;
  const answer = (status: number): string =>
    `'${status}': {description: Done., content: {application/json: {schema: {$ref: ${one}}}}}`;
  const errors = `'404': {$ref: '#/components/responses/NotFound'}
        '422': {description: Refused., content: {application/json: {schema: {$ref: '#/components/schemas/${name}Refusal'}}}}`;
  const item = [
    `    get:
      operationId: get-${name}
      tags: [${area}]
      summary: Get one ${name}
      responses:
        ${answer(200)}
        ${errors}
`,
    `    delete:
      operationId: delete-${name}
      tags: [${area}]
      summary: Delete one ${name}
      description: It cannot be brought back.
      responses:
        '204': {description: Gone.}
        ${errors}
`,
    `    patch:
      operationId: change-${name}
      tags: [${area}]
      summary: Change one ${name}
      requestBody: {required: true, content: {application/json: {schema: {$ref: ${one}}}}}
      responses:
        ${answer(200)}
        ${errors}
`,
  ];
  const all = [
    `    get:
      operationId: list-${name}
      tags: [${area}]
      summary: List every ${name}
      parameters:
        - {$ref: '#/components/parameters/page'}
        - {$ref: '#/components/parameters/size'}
        - {name: colour, in: query, schema: {type: string, enum: [red, green, blue]}}
      responses:
        '200': {description: A page., content: {application/json: {schema: {type: array, items: {$ref: ${one}}}}}}
        ${errors}
`,
    `    post:
      operationId: create-${name}
      tags: [${area}]
      summary: Create one ${name}
      requestBody: {required: true, content: {application/json: {schema: {$ref: ${one}}}}}
      responses:
        ${answer(201)}
        ${errors}
`,
  ];
  const id = `    parameters: [{name: id, in: path, required: true, schema: {type: string, pattern: '^[a-z0-9]{8}$'}}]
`;
  const first = `  /${name}/{id}:\n${id}${item.slice(0, operations).join("")}`;
  return operations > item.length ? `${first}  /${name}:\n${all.slice(0, operations - item.length).join("")}` : first;
}

function schemasOf(name: string): string {
  return `    ${name}:
      type: object
      description: What ${name} is.
      required: [id, name]
      properties:
        id: {type: string, readOnly: true}
        name: {type: string, minLength: 1, maxLength: 80}
        created: {$ref: '#/components/schemas/Timestamp'}
        state: {type: string, enum: [new, ready, gone]}
        parts: {type: array, maxItems: 20, items: {$ref: '#/components/schemas/${name}Part'}}
    ${name}Part: {type: object, properties: {weight: {type: number, minimum: 0}, secret: {type: string, writeOnly: true}}}
    ${name}Refusal: {allOf: [{$ref: '#/components/schemas/Problem'}, {type: object, properties: {field: {type: string}}}]}
`;
}
