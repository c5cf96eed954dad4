import express, { type Express } from "express";
import { expressValidator } from "./adapters/express/index.js";
import {
  addIssueAt,
  inputOf,
  integerValue,
  jsonBody,
  singleValue,
  defineOperation,
  type Issues,
  type Operation,
} from "./index.js";

// A generator writes:
interface Pet {
  readonly name: string;
}

function checkPet(value: unknown, issues: Issues): void {
  const { name } = Object(value) as Partial<Pet>;
  if (typeof name !== "string") addIssueAt(issues, "name", "type", "string");
}

const putPet: Operation<{ readonly path: { readonly petId: number }; readonly body: Pet }> = defineOperation({
  name: "putPet",
  method: "PUT",
  path: "/pets/{petId}",
  parameters: [{ name: "petId", in: "path", required: true, decode: singleValue(integerValue) }],
  body: { required: true, contents: { "application/json": { decode: jsonBody, check: checkPet } } },
});

// You write:
export function petShop(): Express {
  const app = express();
  app.use(expressValidator([putPet], { basePath: "/v4" }));
  app.put("/v4/pets/:petId", (request, response) => {
    const { path, body } = inputOf(putPet, request);
    response.json({ id: path.petId, name: body.name });
  });
  return app;
}
