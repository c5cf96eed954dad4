/** The custom keywords of the description. */
export const richKeywords: readonly string[] = ["x-luhn", "x-weekday"];

/** A description that contains every part of the model, and has no other meaning. */
export const richDescription = `openapi: 3.1.0
info: {title: Rich, version: '1', summary: All of it, description: Everything at once}
servers: [{url: https://a.example, description: Ours}]
tags: [{name: notes, description: Of notes, x-source: [notes.area]}]
x-headers: {requestId: X-Request-Id, scopes: X-Scopes, acceptedScopes: X-Needed, noScopes: none, limit: X-Limit, remaining: X-Left, reset: X-Reset, rateLimit: RateLimit, rateLimitPolicy: RateLimit-Policy}
x-callers: {attributes: {role: {enum: [reader, author, admin]}}, owners: [user, client, account], needNoGrants: {role: admin}, namedGrants: global}
x-problem-details: {types: "https://a.example/problems/", x-source: [notes.area]}
x-assumptions: {one: {says: One is enough, because: Two would be the same, settles: notes.area, unsourced: true}}
x-errors: [{id: off, status: 503, retry: true, x-source: [one]}]
paths:
  /notes/{id}:
    put:
      operationId: putNote
      tags: [notes]
      summary: Put one
      description: Puts a note
      deprecated: true
      x-deprecation: {since: 2026-01-01, sunset: 2027-06-30, link: https://a.example/a, sunsetLink: https://a.example/b, replacement: putNote, x-source: [notes.area]}
      servers: [{url: https://b.example, description: Theirs}]
      security: [{token: ['notes:write'], key: []}]
      x-grants:
        - {grant: add_notes, error: denied, when: {caller: {required: [user]}}}
        - {on: $request.path.id, level: read}
        - {caller: {role: [author, admin]}}
      x-limits:
        - {id: puts, kind: rate, max: 10, window: PT30S, per: $caller.user, until: {settled: $response.body#/id}, by: [a], within: array, error: many}
        - {id: ends, kind: outcome-rate, max: 5, window: PT10M, counts: {errors: [full], effects: [gone]}, since: [gone], reached: gone, error: many}
      x-effects:
        - {id: gone, summary: Goes, does: set, to: Note, of: $request.path.id, where: {const: 1}, except: $response.body#/id, count: 2, values: {a: {value: 1}, b: {from: $request.body#/a, times: 3, minus: $request.body#/a}}, verifiedBy: a-story, when: {changes: [a]}}
        - {id: kept, does: set, to: $request.path.id, values: {a: {value: 1}}}
      x-errors:
        - {id: full, status: 400, field: a, summary: Full, reasonContains: [full], verifiedBy: a-story, when: {compare: [$request.body#/a, eq, 1], target: {const: 2}, sent: {const: 3}, refs: {a: {const: 4}}, body: {const: 5}}}
      x-lists: {pages: {page: page, size: size, envelope: {items: data, page: page, pages: pages, total: total}}}
      parameters:
        - {name: id, in: path, required: true, description: Which, x-input: {segments: 2}, x-reference: {to: Note, by: label, of: $request.path.id, where: {const: 1}, onConstraintViolation: unfit, onNotFound: gone, onDelete: set-null}, schema: {type: string}}
        - {name: page, in: query, deprecated: true, style: form, explode: false, allowReserved: true, schema: {type: integer}}
        - {name: size, in: query, schema: {type: integer}}
        - {name: json, in: query, content: {application/json: {schema: {type: integer}}}}
      requestBody:
        required: true
        description: What to put
        x-input: {absent: keep, nulls: absent, readOnly: reject, unknown: reject, unchanged: accept, merged: Note}
        content:
          application/json: {schema: {$ref: '#/components/schemas/Note'}, example: {a: 1}}
          multipart/form-data: {schema: {type: object}, encoding: {a: {contentType: text/csv, style: form, explode: true}, b: {headers: {X-Part: {schema: {type: string}}}}}}
      responses:
        '200':
          description: Put
          x-visibility: {in: [putNote], when: {caller: {const: 1}}}
          headers: {X-Rate: {required: true, description: How many, schema: {type: integer}}}
          content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}
        '202':
          description: Followed
          content:
            text/event-stream:
              itemSchema: {type: object, properties: {data: {type: string, contentMediaType: application/json, contentSchema: {type: integer}}}}
        4XX: {description: No}
        default: {description: Neither}
  /notes:
    get:
      operationId: listNotes
      x-lists:
        filter: {style: json, parameter: X-Filter, all: and, any: or, operators: {ne: not, gt: above, gte: from, lt: below, lte: upTo, contains: has}, error: off}
        order: {by: sort, direction: way}
        pages: {cursor: after, size: size, next: $response.body#/meta/next, envelope: {items: data}, error: off}
      parameters:
        - {name: X-Filter, in: header, content: {application/json: {schema: {type: object}}}}
        - {name: after, in: query, schema: {type: string}}
        - {name: size, in: query, schema: {type: integer}}
      responses: {'200': {description: Listed}}
  /others:
    get:
      operationId: listOthers
      x-lists: {order: {parameter: sort, descending: '-'}, pages: {cursor: after, next: $response.header.X-Next}}
      parameters:
        - {name: after, in: query, schema: {type: string}}
        - {name: sort, in: query, schema: {type: string}}
      responses: {'200': {description: Listed}}
webhooks:
  noted:
    post:
      summary: Noted
      parameters: [{name: X-Signature, in: header, required: true, schema: {type: string}}]
      requestBody: {required: true, description: What is noted, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
      responses: {'200': {description: Taken}}
components:
  pathItems:
    upload: {put: {operationId: upload, responses: {'200': {description: Up}}}}
  securitySchemes:
    token:
      type: http
      scheme: bearer
      description: A token
      x-scopes:
        areas: [notes]
        levels: {read: [], write: [read]}
        all: '*'
        separator: ','
        credentials: [{to: Note, in: on}]
        errors: {missing: a, invalid: b, scope: c}
    key: {type: apiKey, in: header, name: X-Key}
    digest: {type: http, scheme: digest}
  schemas:
    Unchecked: {type: string, pattern: '(?i)a'}
    Slow: {type: string, pattern: '^(a+)+$'}
    Note:
      type: object
      title: A note
      description: One of them
      required: [id]
      minProperties: 1
      maxProperties: 50
      propertyNames: {pattern: ^a}
      patternProperties: {^x: {type: string}}
      additionalProperties: {type: string}
      dependentRequired: {a: [b]}
      dependentSchemas: {a: {minProperties: 2}}
      x-resource: {owner: [account], parent: Other, grants: notes, public: {const: 1}, list: putNote, read: putNote, delete: putNote, modified: updated, log: true}
      x-errors: [{id: odd, status: 400, field: null}]
      properties:
        id: {type: integer, readOnly: true, deprecated: true, default: 3, examples: [1], enum: [1, 2], minimum: 1, maximum: 9, multipleOf: 1}
        secret: {type: string, writeOnly: true, minLength: 1, maxLength: 9, pattern: ^a, format: date, contentEncoding: base64, contentMediaType: text/csv}
        number: {type: number, exclusiveMinimum: 1, exclusiveMaximum: 9, const: 2}
        list: {type: array, minItems: 1, maxItems: 9, uniqueItems: true, items: {type: string}, contains: {type: string}, minContains: 2, maxContains: 3}
        checked: {type: string, x-luhn: {digits: 10}, x-weekday: true}
        rest: {type: array, unevaluatedItems: {type: string}}
        others: {type: object, unevaluatedProperties: {type: string}}
        tuple: {type: array, prefixItems: [{type: string}]}
        any: {anyOf: [{type: string}, {type: integer}]}
        one: {oneOf: [{$ref: '#/components/schemas/Other'}, {type: integer}], discriminator: {propertyName: kind, mapping: {other: Other}}}
        both: {allOf: [{$ref: '#/components/schemas/Other'}, {type: object, properties: {more: {type: string}}}]}
        ruled: {not: {const: 1}, if: {const: 2}, then: {const: 3}, else: {const: 4}}
        never: false
        scoped: {type: string, x-scopes: {atMost: $caller.scopes, error: too-much}}
        limited: {type: string, x-limits: [{id: long, kind: serialized-length, max: 10}]}
        valued: {type: integer, x-value: [{absent: true, set: {value: 1}}, {matches: {const: 0}, interpretAs: 14}, {when: {body: {const: 1}}, set: ignore}, {round: up, to: [1, 2], escape: ascii}]}
        named: {type: integer, x-reference: {to: Note}}
        shown: {type: string, x-filterable: {operators: [ne]}, x-visibility: {in: [putNote], otherwise: {truncate: 4}, secret: true}}
        changing: {type: string, x-mutability: {rule: one-way, to: b, order: putNote, error: no}}
        status:
          type: string
          enum: [off, on]
          x-state-machine:
            hidden: {kept: off}
            initial: [{event: putNote, when: {body: {const: 1}}, to: off, then: [on], sets: {a: 1}, duration: PT5S}, {event: {platform: import}, to: on}]
            transitions:
              - {event: putNote, subject: $request.path.id, from: [off], to: on, then: [off], when: {body: {const: 1}}, while: long, limit: puts, duration: PT5S, error: full}
              - {event: {after: PT24H}, from: [on], to: off}
              - {event: {at: ends}, from: [on], to: $deleted}
    Other: {type: object, properties: {kind: {type: string}}}
    Unused: {type: object, properties: {a: {type: string}}}
`;
