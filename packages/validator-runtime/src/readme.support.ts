import express, { type Express } from "express";
import { expressValidator } from "./express.js";
import { failAt, inputOf, integer, json, one, operation, type Faults, type Operation } from "./index.js";

// A generator writes:
interface Pet {
  readonly name: string;
}

function checkPet(value: unknown, faults: Faults): void {
  const { name } = Object(value) as Partial<Pet>;
  if (typeof name !== "string") failAt(faults, "name", "type", "string");
}

const putPet: Operation<{ readonly path: { readonly petId: number }; readonly body: Pet }> = operation({
  name: "putPet",
  method: "PUT",
  path: "/pets/{petId}",
  parameters: [{ name: "petId", in: "path", required: true, read: one(integer) }],
  body: { required: true, contents: { "application/json": { read: json, check: checkPet } } },
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
