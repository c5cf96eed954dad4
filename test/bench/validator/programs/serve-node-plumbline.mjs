import { createServer } from "node:http";
import { validator } from "@cloud-compute/validator/node";
import { length, text } from "./reply.mjs";

const validate = validator({ basePath: "/v4" });

export const server = createServer((request, response) => {
  validate(request, response, (error) => {
    if (error) throw error;
    response.writeHead(200, { "content-type": "application/json", "content-length": length }).end(text);
  });
});
