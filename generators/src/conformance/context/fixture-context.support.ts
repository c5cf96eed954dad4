import { testOptions } from "@plumbline/kit/codegen/testing";
import { buildFixtureApi, type FixtureFiles } from "@plumbline/kit/openapi/testing";
import { conformanceContextOf, type ConformanceContext, type ConformanceOptions } from "./context.js";
import { emptySettings, type ConformanceSettings } from "./settings.js";

/** Settings of a suite that can create users. */
export const createsUsers: Pick<ConformanceSettings, "actors"> = {
  actors: { user: { requires: [], steps: [], outputs: null } },
};

/** A context of a description and settings. */
export async function contextFromText(
  texts: FixtureFiles,
  settings: Partial<ConformanceSettings> = {},
): Promise<ConformanceContext> {
  const api = await buildFixtureApi(texts);
  return conformanceContextOf(api, artifactOptions(settings));
}

export function artifactOptions(settings: Partial<ConformanceSettings> = {}): ConformanceOptions {
  return {
    ...testOptions("@pets/conformance"),
    input: { settings: { ...emptySettings, ...settings }, controls: undefined, workflows: [], scenarios: {} },
  };
}

/** A description of houses with pets. */
export const housesDescription = `openapi: 3.1.0
info: {title: Pets, version: '1'}
servers: [{url: 'https://pets.example/v1'}]
paths:
  /houses:
    get:
      operationId: listHouses
      tags: [houses]
      security: [{bearer: []}]
      responses: {'200': {description: All., content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/House'}}}}}}
    post:
      operationId: createHouse
      tags: [houses]
      security: [{bearer: []}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, minLength: 3}}}}}}
      responses: {'201': {description: Made., content: {application/json: {schema: {$ref: '#/components/schemas/House'}}}}}
  /houses/{houseId}:
    parameters: [&house {name: houseId, in: path, required: true, schema: {type: integer}, x-reference: {to: House}}]
    get:
      operationId: getHouse
      tags: [houses]
      security: [{bearer: []}]
      responses: {'200': {description: One., content: {application/json: {schema: {$ref: '#/components/schemas/House'}}}}}
    delete:
      operationId: deleteHouse
      tags: [houses]
      security: [{bearer: []}]
      responses: {'204': {description: Gone.}}
  /houses/{houseId}/pets/{petName}:
    parameters: [*house, {name: petName, in: path, required: true, schema: {type: string}, x-reference: {to: Pet, by: name, of: $request.path.houseId}}]
    put:
      operationId: updatePet
      tags: [pets]
      security: [{bearer: []}]
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}, example: {age: 3}}}}
      responses: {'200': {description: Changed., content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}
components:
  securitySchemes: {bearer: {type: http, scheme: bearer}}
  schemas:
    House:
      type: object
      required: [id, name]
      x-resource: {owner: [account], list: listHouses, read: getHouse, delete: deleteHouse}
      properties: {id: {type: integer, readOnly: true, x-source: [house.id]}, name: {type: string, x-source: [house.name]}, key: {type: string, writeOnly: true}}
    Pet:
      type: object
      x-resource: {parent: House}
      properties: {name: {type: string}, age: {type: [integer, 'null'], minimum: 0}}
`;
