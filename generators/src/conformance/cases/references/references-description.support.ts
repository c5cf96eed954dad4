/** A description of kennels with dogs, tags and events. */
export const kennelsDescription = `openapi: 3.1.0
info: {title: Kennels, version: '1'}
x-lists:
  pages: {page: page, size: size, envelope: {items: data, page: page, pages: pages, total: results}}
  filter: {style: json, parameter: X-Filter}
x-errors: [{id: not-found, status: 404, field: null, reasonContains: [Not found], x-source: [missing]}]
paths:
  /kennels:
    get:
      operationId: listKennels
      tags: [kennels]
      security: [{bearer: []}]
      responses: {'200': {description: A page., content: &kennelPage {application/json: {schema: {$ref: '#/components/schemas/KennelPage'}}}}}
      parameters: &paging
        - {name: page, in: query, schema: {type: integer}}
        - {name: size, in: query, schema: {type: integer}}
    post:
      operationId: createKennel
      tags: [kennels]
      security: [{bearer: []}]
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/KennelCreate'}}}}
      responses: {'200': {description: Made., content: &kennel {application/json: {schema: {$ref: '#/components/schemas/Kennel'}}}}}
      x-errors: [{id: no-such-dog, status: 400, field: $each}]
      x-effects: [{id: told, does: create, to: Event, values: {action: made}, x-source: [told]}]
      x-source: [make]
  /kennels/{kennelId}:
    parameters: [&kennelId {name: kennelId, in: path, required: true, schema: {type: integer}, x-reference: {to: Kennel, onNotFound: not-found}, x-source: [kennel-id]}]
    get:
      operationId: getKennel
      tags: [kennels]
      security: [{bearer: []}]
      responses: {'200': {description: One., content: *kennel}}
      x-source: [read]
    delete:
      operationId: deleteKennel
      tags: [kennels]
      security: [{bearer: []}]
      responses: {'204': {description: Gone.}}
      x-source: [remove]
  /kennels/{kennelId}/dogs/{dogId}:
    parameters: [*kennelId, {name: dogId, in: path, required: true, schema: {type: integer}, x-reference: {to: Dog, of: $request.path.kennelId, onNotFound: not-found}, x-source: [dog-id]}]
    get:
      operationId: getDog
      tags: [dogs]
      security: [{bearer: []}]
      responses: {'200': {description: One., content: &dog {application/json: {schema: {$ref: '#/components/schemas/Dog'}}}}}
    put:
      operationId: updateDog
      tags: [dogs]
      security: [{bearer: []}]
      requestBody: {content: {application/json: {schema: {type: object, properties: {age: {type: integer}}}, example: {age: 3}}}}
      responses: {'200': {description: Changed., content: *dog}}
      x-source: [change]
  /tags/{label}:
    parameters: [{name: label, in: path, required: true, schema: {type: string, maxLength: 9}, x-reference: {to: Tag, by: label, onNotFound: not-found}}]
    get:
      operationId: getTag
      tags: [tags]
      security: [{bearer: []}]
      responses: {'200': {description: One., content: {application/json: {schema: {$ref: '#/components/schemas/Tag'}}}}}
    delete:
      operationId: deleteTag
      tags: [tags]
      security: [{bearer: []}]
      responses: {'204': {description: Gone.}}
      x-source: [untag]
  /events:
    get:
      operationId: listEvents
      tags: [events]
      security: [{bearer: []}]
      responses: {'200': {description: A page., content: {application/json: {schema: {$ref: '#/components/schemas/EventPage'}}}}}
      parameters:
        - {name: page, in: query, schema: {type: integer}}
        - {name: size, in: query, schema: {type: integer}}
        - {name: X-Filter, in: header, content: {application/json: {schema: {type: object}}}}
components:
  securitySchemes: {bearer: {type: http, scheme: bearer}}
  schemas:
    Kennel:
      type: object
      x-resource: {owner: [account], list: listKennels, read: getKennel, delete: deleteKennel, x-source: [owned]}
      properties: {id: {type: integer, readOnly: true}, tags: {type: array, items: {type: string, x-reference: {to: Tag, by: label, onDelete: set-null}, x-source: [tags]}}}
    KennelPage: {type: object, properties: {data: {type: array, items: {$ref: '#/components/schemas/Kennel'}}, page: {type: integer}, pages: {type: integer}, results: {type: integer}}}
    KennelCreate:
      type: object
      properties:
        tags: {type: array, items: {type: string, x-reference: {to: Tag, by: label, onNotFound: create}}}
        dogs: {type: array, items: {type: integer, x-reference: {to: Dog, onNotFound: no-such-dog}, x-source: [dogs]}}
    Dog:
      type: object
      x-resource: {parent: Kennel, read: getDog}
      properties: {id: {type: integer}}
      x-source: [dog]
    Tag:
      type: object
      x-resource: {owner: [account], read: getTag, delete: deleteTag}
      properties: {label: {type: string}}
    Event:
      type: object
      x-resource: {owner: [account], list: listEvents}
      properties: {id: {type: integer}, action: {type: string, x-filterable: true}}
    EventPage: {type: object, properties: {data: {type: array, items: {$ref: '#/components/schemas/Event'}}, page: {type: integer}, pages: {type: integer}, results: {type: integer}}}
`;
