// The function that Fastify compiles for a route, obtained the way a handler can.
import { readFileSync } from "node:fs";
import fastify from "fastify";
import { valid } from "./bodies.mjs";

const { components } = JSON.parse(readFileSync("description.json", "utf8"));
const app = fastify({ ajv: { customOptions: { strict: false } } });
app.addSchema({ $id: "api", components });
let validate;
app.post("/", { schema: { body: { $ref: "api#/components/schemas/InstanceCreate" } } }, (request) => {
  validate = request.getValidationFunction("body");
  return "";
});
const { statusCode } = await app.inject({ method: "POST", url: "/", payload: valid });
if (statusCode !== 200) throw new Error(`Fastify answers a valid body with ${statusCode}.`);

export function judge(value) {
  return validate(value) ? 0 : validate.errors.length;
}
