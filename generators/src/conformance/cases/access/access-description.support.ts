import type { Case } from "@plumbline/conformance-runtime";
import type { ConformanceContext } from "../../context/context.js";
import { contextFromText } from "../../context/fixture-context.support.js";
import type { ConformanceSettings } from "../../context/settings.js";

/** A description of flats: tokens with scopes, users with grants, and lists. */
export const flatsDescription = `openapi: 3.1.0
info: {title: Flats, version: '1', x-source: [api.json]}
servers: [{url: 'https://flats.example/v1'}]
tags: [{name: flats}, {name: tokens}]
x-callers: {attributes: {restricted: {type: boolean}}, needNoGrants: {restricted: false}, namedGrants: global}
paths:
  /flats:
    get:
      operationId: listFlats
      tags: [flats]
      security: [{bearer: ['flats:read_only']}]
      parameters:
        - {name: page, in: query, schema: {type: integer, minimum: 1}}
        - {name: page_size, in: query, schema: {type: integer, minimum: 25, maximum: 500}}
      x-lists: {pages: {page: page, size: page_size, envelope: {items: data, page: page, pages: pages, total: results}}}
      responses: {'200': {description: All., content: {application/json: {schema: {$ref: '#/components/schemas/FlatPage'}}}}, default: &failure {description: No.}}
      x-source: [flat.list.scope]
    post:
      operationId: createFlat
      tags: [flats]
      security: [{bearer: ['flats:read_write']}]
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/FlatCreate'}}}}
      responses: {'200': {description: Made., content: {application/json: {schema: {$ref: '#/components/schemas/Flat'}}}}, default: *failure}
      x-grants:
        - {grant: add_flats, x-source: [flat.create.global]}
        - {caller: {restricted: false}, when: {body: {properties: {tags: {minItems: 1}}, required: [tags]}}, x-source: [flat.tags]}
  /flats/{flatId}:
    parameters: [{name: flatId, in: path, required: true, schema: {type: integer}, x-reference: {to: Flat}, x-source: [flat.id]}]
    get:
      operationId: getFlat
      tags: [flats]
      security: [{bearer: ['flats:read_only']}]
      responses: {'200': {description: One., content: {application/json: {schema: {$ref: '#/components/schemas/Flat'}}}}, default: *failure}
      x-grants: [{on: $request.path.flatId, level: read_only, x-source: [flat.read.grant]}]
    put:
      operationId: updateFlat
      tags: [flats]
      security: [{bearer: ['flats:read_write']}]
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/FlatCreate'}}}}
      responses: {'200': {description: Changed., content: {application/json: {schema: {$ref: '#/components/schemas/Flat'}}}}, default: *failure}
      x-grants: [{on: $request.path.flatId, level: read_write}]
    delete:
      operationId: deleteFlat
      tags: [flats]
      security: [{bearer: ['flats:read_write']}]
      responses: {'204': {description: Gone.}, default: *failure}
      x-grants: [{caller: {restricted: false}, error: not-permitted, x-source: [flat.delete.owner]}]
  /tokens:
    post:
      operationId: createToken
      tags: [tokens]
      security: [{bearer: ['account:read_write']}]
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/TokenCreate'}}}}
      responses: {'200': {description: Made., content: {application/json: {schema: {$ref: '#/components/schemas/Token'}}}}, default: *failure}
      x-errors: [{id: too-much, status: 400, field: scopes}]
  /tokens/{tokenId}:
    parameters: [{name: tokenId, in: path, required: true, schema: {type: integer}, x-reference: {to: Token}}]
    get:
      operationId: getToken
      tags: [tokens]
      security: [{bearer: ['account:read_only']}]
      responses: {'200': {description: One., content: {application/json: {schema: {$ref: '#/components/schemas/Token'}}}}, default: *failure}
    delete:
      operationId: deleteToken
      tags: [tokens]
      security: [{bearer: ['account:read_write']}]
      responses: {'204': {description: Gone.}, default: *failure}
  /me:
    get:
      operationId: getMe
      tags: [tokens]
      security: [{bearer: []}]
      responses: {'200': {description: Me., content: {application/json: {schema: {type: object}}}}, default: *failure}
  /streets:
    get:
      operationId: listStreets
      tags: [flats]
      security: [{bearer: ['towns:read_only']}]
      responses: {'200': {description: All., content: {application/json: {schema: {type: array}}}}, default: *failure}
  /towns:
    get:
      operationId: listTowns
      tags: [flats]
      security: []
      responses: {'200': {description: All., content: {application/json: {schema: {type: array}}}}, default: *failure}
x-errors:
  - {id: invalid, status: 400}
  - {id: no-token, status: 401, field: null, reasonContains: [No token]}
  - {id: bad-token, status: 401, field: null, reasonContains: [Bad token], x-source: [token.bad]}
  - {id: no-scope, status: 401, field: null, reasonContains: [No scope]}
  - {id: not-permitted, status: 403, field: null}
  - {id: not-found, status: 404, field: null}
  - {id: no-method, status: 405, field: null}
  - {id: too-large, status: 413, field: null}
  - {id: no-json, status: 415, field: null}
components:
  securitySchemes:
    bearer:
      type: http
      scheme: bearer
      x-scopes:
        areas: [account, flats, towns]
        levels: {read_only: [], read_write: [read_only]}
        all: '*'
        separator: ','
        credentials: [{to: Token, in: active}]
        errors: {missing: no-token, invalid: bad-token, scope: no-scope}
        x-source: [scope.form]
      x-source: [token.header]
  schemas:
    Flat:
      type: object
      required: [id, name, tags]
      x-resource: {owner: [account], grants: flat, list: listFlats, read: getFlat, delete: deleteFlat, x-source: [flat.owner]}
      properties: {id: {type: integer, readOnly: true}, name: {type: string}, tags: {type: array, items: {type: string}}}
    FlatCreate:
      type: object
      required: [name]
      properties: {name: {type: string}, tags: {type: array, items: {type: string}}, pin: {type: string, examples: [nine-of-hearts], x-visibility: {secret: true}, x-source: [flat.pin]}}
    FlatPage:
      type: object
      required: [data]
      properties: {data: {type: array, items: {$ref: '#/components/schemas/Flat'}}}
    TokenCreate:
      type: object
      properties: {scopes: {type: string, x-scopes: {atMost: $caller.scopes, error: too-much}, x-source: [token.ceiling]}}
    Token:
      type: object
      required: [id, scopes, secret]
      x-resource: {owner: [user], read: getToken, delete: deleteToken}
      x-state-machine: {states: [active], initial: [{event: createToken, to: active}], transitions: [{event: deleteToken, from: [active], to: $deleted, x-source: [token.end]}]}
      properties:
        id: {type: integer, readOnly: true}
        scopes: {type: string}
        secret: {type: string, readOnly: true, x-visibility: {in: [createToken], otherwise: {truncate: 4}, secret: true}, x-source: [token.once]}
`;

/** The requirements of that description. */
export const flatRequirements = `documents:
  only:
    title: The document
    sections:
      All:
        api.json: {line: 1, says: 'Request bodies are JSON, with a Content-Type.'}
        flat.list.scope: {line: 2, says: 'Listing flats needs flats:read_only.'}
        flat.create.global: {line: 3, says: 'Making a flat needs add_flats.'}
        flat.tags: {line: 4, says: 'Tags are for unrestricted users.'}
        flat.id: {line: 5, says: 'flatId is an integer.'}
        flat.read.grant: {line: 6, says: 'To read a flat needs read_only on it.'}
        flat.delete.owner: {line: 7, says: 'Only unrestricted users delete flats.'}
        flat.owner: {line: 8, says: 'A flat belongs to the account.'}
        flat.pin: {line: 9, says: 'A pin is never shown.'}
        token.bad: {line: 10, says: 'A bad token is rejected.'}
        token.header: {line: 11, says: 'A token is sent in the Authorization header.'}
        token.ceiling: {line: 12, says: 'A token has no more than the one that makes it.'}
        token.end: {line: 13, says: 'A deleted token is invalid.'}
        token.once: {line: 14, says: 'The secret is shown whole once.'}
        scope.form: {line: 15, says: 'A scope is an area and a level.'}
`;

/**
 * Runs a case generator on this description.
 *
 * @returns The cases by id.
 */
export async function flatCases(
  make: (context: ConformanceContext) => readonly Case[],
  texts: string = flatsDescription,
  settings: Partial<ConformanceSettings> = {
    callers: { token: ["token.header"], anonymous: [], scopes: [], grants: [] },
  },
): Promise<ReadonlyMap<string, Case>> {
  const fixture = { requires: [], steps: [], outputs: null };
  const context = await contextFromText(
    { "openapi.yaml": texts, "requirements.yaml": flatRequirements },
    { fixtures: { Flat: fixture, Token: fixture }, ...settings },
  );
  return new Map(make(context).map((each) => [each.id, each] as const));
}
