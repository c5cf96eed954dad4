import addFormats from "ajv-formats";
import { Ajv2020, type Options } from "ajv/dist/2020.js";
import { pets } from "../pets.support.js";
import type { JsonSchema } from "../schemas.js";
import type { AjvSource } from "./ajv-operations.js";

/** An instance as users have one. */
export function createAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, ...options });
  addFormats.default(ajv);
  return ajv;
}

const petDefinition: JsonSchema = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 3, maxLength: 20 },
    age: { type: "integer" },
    friends: { type: "array", items: { $ref: "#/$defs/Pet" } },
  },
  required: ["name"],
};

const pet: JsonSchema = { $ref: "#/$defs/Pet", $defs: { Pet: petDefinition } };
const petId: JsonSchema = { type: "object", properties: { petId: { type: "integer" } }, required: ["petId"] };
const json = { "application/json": pet };
const responses = { "200": json };

/** The pets' operations, as a generator would describe them for Ajv. */
export const petsSource: AjvSource = {
  operations: pets,
  schemas: {
    listPets: {
      query: {
        type: "object",
        properties: {
          page: { type: "integer", minimum: 1, maximum: 1000, default: 1 },
          tags: { type: "array", items: { type: "string", minLength: 3, maxLength: 50 } },
        },
      },
      headers: { type: "object", properties: { "X-Filter": {} } },
      responses,
    },
    createPet: { body: { ...json, "application/x-www-form-urlencoded": pet }, responses },
    getPet: { path: petId, responses },
    updatePet: { path: petId, body: json, responses },
    deletePet: { path: petId, responses },
    feedPet: { path: petId, body: json, responses: {} },
    putPhoto: {
      path: petId,
      body: {
        "multipart/form-data": {
          type: "object",
          properties: { caption: { type: "string" }, owner: { type: "object" }, photo: {} },
        },
        "image/*": { contentMediaType: "image/*" },
        "text/plain": { type: "string" },
      },
      responses,
    },
    getImage: {
      path: { type: "object", properties: { imageId: { type: "string" } }, required: ["imageId"] },
      responses,
    },
    getTag: { path: { type: "object", properties: { label: { type: "string" } }, required: ["label"] }, responses },
  },
  rules: {},
  formats: [],
};
