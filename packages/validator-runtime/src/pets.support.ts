import { bytes, form, json, multipart, plainText } from "./bodies.js";
import { fail, failAt, under, type Check, type Faults } from "./faults.js";
import { operation, type Operation } from "./operation.js";
import { exploded, file, integer, jsonText, one, text } from "./readers.js";

interface Pet {
  readonly name: string;
  readonly age?: number;
  readonly friends?: readonly Pet[];
}

type OnePet = { readonly path: { readonly petId: number } };

const checkPet: Check = (value, faults, reject) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return fail(faults, "type", "object");
  const pet = value as Readonly<Record<string, unknown>>;
  if (!Object.hasOwn(pet, "name")) failAt(faults, "name", "required");
  else if (typeof pet["name"] !== "string") failAt(faults, "name", "type", "string");
  else if (pet["name"].length < 3 || pet["name"].length > 20) failAt(faults, "name", "length", 3, 20);
  if (Object.hasOwn(pet, "age") && !Number.isSafeInteger(pet["age"])) failAt(faults, "age", "type", "integer");
  if (Object.hasOwn(pet, "friends")) checkFriends(pet["friends"], faults, reject);
  if (reject !== true) return;
  for (const key of Object.keys(pet)) if (!described.has(key)) failAt(faults, key, "unknown");
};

const described: ReadonlySet<string> = new Set(["name", "age", "friends"]);

function checkFriends(value: unknown, faults: Faults, reject?: boolean): void {
  if (!Array.isArray(value)) return failAt(faults, "friends", "type", "array");
  const before = faults.length;
  for (const [index, each] of value.entries()) {
    const first = faults.length;
    checkPet(each, faults, reject);
    under(faults, first, index);
  }
  under(faults, before, "friends");
}

const checkPage: Check = (value, faults) => {
  if ((value as number) < 1) fail(faults, "range", 1, 1000);
};

const checkTags: Check = (value, faults) => {
  for (const [index, tag] of (value as string[]).entries()) if (tag.length < 3) failAt(faults, index, "length", 3, 50);
};

const petId = { name: "petId", in: "path", required: true, read: one(integer) } as const;
const produces = ["application/json"];
const takesPet = { "application/json": { read: json, check: checkPet, take: (value: unknown) => value } };

export const listPets: Operation<{
  readonly query: { readonly page: number; readonly tags?: readonly string[] };
  readonly headers: { readonly "X-Filter"?: unknown };
}> = operation({
  name: "listPets",
  method: "GET",
  path: "/pets",
  parameters: [
    { name: "page", in: "query", read: one(integer), check: checkPage, default: 1 },
    { name: "tags", in: "query", read: exploded(text), check: checkTags },
    { name: "X-Filter", in: "header", read: one(jsonText) },
  ],
  produces,
});

export const createPet: Operation<{ readonly body: Pet }> = operation({
  name: "createPet",
  method: "POST",
  path: "/pets",
  body: {
    required: true,
    contents: {
      ...takesPet,
      "application/x-www-form-urlencoded": { read: form({ name: one(text), age: one(integer) }), check: checkPet },
    },
  },
  produces,
});

export const getPet: Operation<OnePet> = operation({
  name: "getPet",
  method: "GET",
  path: "/pets/{petId}",
  parameters: [petId],
  produces,
});

export const updatePet: Operation<OnePet & { readonly body?: Pet }> = operation({
  name: "updatePet",
  method: "PUT",
  path: "/pets/{petId}",
  parameters: [petId],
  body: { contents: takesPet },
  produces,
});

export const deletePet: Operation<OnePet> = operation({
  name: "deletePet",
  method: "DELETE",
  path: "/pets/{petId}",
  parameters: [petId],
  produces,
});

export const feedPet: Operation<OnePet & { readonly body?: Pet }> = operation({
  name: "feedPet",
  method: "POST",
  path: "/pets/{petId}/feed",
  parameters: [petId],
  body: { contents: takesPet },
});

export const putPhoto: Operation<OnePet & { readonly body: unknown }> = operation({
  name: "putPhoto",
  method: "PUT",
  path: "/pets/{petId}/photo",
  parameters: [petId],
  body: {
    required: true,
    contents: {
      "multipart/form-data": { read: multipart({ caption: one(text), photo: file }) },
      "image/*": { read: bytes },
      "text/plain": { read: plainText },
    },
  },
  produces,
});

export const getImage: Operation<{ readonly path: { readonly imageId: string } }> = operation({
  name: "getImage",
  method: "GET",
  path: "/images/{+imageId}",
  parameters: [{ name: "imageId", in: "path", required: true, segments: 2, read: one(text) }],
  produces,
});

export const getTag: Operation<{ readonly path: { readonly label: string } }> = operation({
  name: "getTag",
  method: "GET",
  path: "/tags/{label}",
  parameters: [{ name: "label", in: "path", required: true, encodedSlash: true, read: one(text) }],
  produces,
});

export const pets: readonly Operation[] = [
  listPets,
  createPet,
  getPet,
  updatePet,
  deletePet,
  feedPet,
  putPhoto,
  getImage,
  getTag,
];
