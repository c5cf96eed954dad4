import {
  binaryBody,
  formBody,
  jsonBody,
  multipartBody,
  textBody,
  addIssue,
  addIssueAt,
  isObject,
  prefixPaths,
  type Check,
  type Issues,
  defineOperation,
  type Operation,
  explodedArray,
  fileField,
  integerValue,
  jsonValue,
  singleValue,
  stringValue,
} from "../http/index.js";

interface Pet {
  readonly name: string;
  readonly age?: number;
  readonly friends?: readonly Pet[];
}

type OnePet = { readonly path: { readonly petId: number } };

const checkPet: Check = (value, issues, reject) => {
  if (!isObject(value)) return addIssue(issues, "type", "object");
  if (!Object.hasOwn(value, "name")) addIssueAt(issues, "name", "required");
  else if (typeof value["name"] !== "string") addIssueAt(issues, "name", "type", "string");
  else if (value["name"].length < 3 || value["name"].length > 20) addIssueAt(issues, "name", "length", 3, 20);
  if (Object.hasOwn(value, "age") && !Number.isSafeInteger(value["age"])) addIssueAt(issues, "age", "type", "integer");
  if (Object.hasOwn(value, "friends")) checkFriends(value["friends"], issues, reject);
  if (reject !== true) return;
  for (const key of Object.keys(value)) if (!createPetOperation.has(key)) addIssueAt(issues, key, "unknown");
};

const createPetOperation: ReadonlySet<string> = new Set(["name", "age", "friends"]);

function checkFriends(value: unknown, issues: Issues, reject?: boolean): void {
  if (!Array.isArray(value)) return addIssueAt(issues, "friends", "type", "array");
  const before = issues.length;
  for (const [index, each] of value.entries()) {
    const first = issues.length;
    checkPet(each, issues, reject);
    prefixPaths(issues, first, index);
  }
  prefixPaths(issues, before, "friends");
}

const checkPage: Check = (value, issues) => {
  if ((value as number) < 1) addIssue(issues, "range", 1, 1000);
};

const checkTags: Check = (value, issues) => {
  for (const [index, tag] of (value as string[]).entries())
    if (tag.length < 3 || tag.length > 50) addIssueAt(issues, index, "length", 3, 50);
};

const petId = { name: "petId", in: "path", required: true, decode: singleValue(integerValue) } as const;
const produces = ["application/json"];
const acceptsPet = { "application/json": { decode: jsonBody, check: checkPet, normalize: (value: unknown) => value } };

export const listPets: Operation<{
  readonly query: { readonly page: number; readonly tags?: readonly string[] };
  readonly headers: { readonly "X-Filter"?: unknown };
}> = defineOperation({
  name: "listPets",
  method: "GET",
  path: "/pets",
  parameters: [
    { name: "page", in: "query", decode: singleValue(integerValue), check: checkPage, default: 1 },
    { name: "tags", in: "query", decode: explodedArray(stringValue), check: checkTags },
    { name: "X-Filter", in: "header", decode: singleValue(jsonValue) },
  ],
  produces,
});

export const createPet: Operation<{ readonly body: Pet }> = defineOperation({
  name: "createPet",
  method: "POST",
  path: "/pets",
  body: {
    required: true,
    contents: {
      ...acceptsPet,
      "application/x-www-form-urlencoded": {
        decode: formBody({ name: singleValue(stringValue), age: singleValue(integerValue) }),
        check: checkPet,
      },
    },
  },
  produces,
});

export const getPet: Operation<OnePet> = defineOperation({
  name: "getPet",
  method: "GET",
  path: "/pets/{petId}",
  parameters: [petId],
  produces,
});

export const updatePet: Operation<OnePet & { readonly body?: Pet }> = defineOperation({
  name: "updatePet",
  method: "PUT",
  path: "/pets/{petId}",
  parameters: [petId],
  body: { contents: acceptsPet },
  produces,
});

export const deletePet: Operation<OnePet> = defineOperation({
  name: "deletePet",
  method: "DELETE",
  path: "/pets/{petId}",
  parameters: [petId],
  produces,
});

export const feedPet: Operation<OnePet & { readonly body?: Pet }> = defineOperation({
  name: "feedPet",
  method: "POST",
  path: "/pets/{petId}/feed",
  parameters: [petId],
  body: { contents: acceptsPet },
});

export const putPhoto: Operation<OnePet & { readonly body: unknown }> = defineOperation({
  name: "putPhoto",
  method: "PUT",
  path: "/pets/{petId}/photo",
  parameters: [petId],
  body: {
    required: true,
    contents: {
      "multipart/form-data": {
        decode: multipartBody({
          caption: singleValue(stringValue),
          owner: singleValue(jsonValue),
          photo: fileField,
        }),
      },
      "image/*": { decode: binaryBody },
      "text/plain": { decode: textBody },
    },
  },
  produces,
});

export const getImage: Operation<{ readonly path: { readonly imageId: string } }> = defineOperation({
  name: "getImage",
  method: "GET",
  path: "/images/{+imageId}",
  parameters: [{ name: "imageId", in: "path", required: true, segments: 2, decode: singleValue(stringValue) }],
  produces,
});

export const getTag: Operation<{ readonly path: { readonly label: string } }> = defineOperation({
  name: "getTag",
  method: "GET",
  path: "/tags/{label}",
  parameters: [{ name: "label", in: "path", required: true, encodedSlash: true, decode: singleValue(stringValue) }],
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
