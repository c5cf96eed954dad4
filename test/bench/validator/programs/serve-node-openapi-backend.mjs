import { createServer } from "node:http";
import { OpenAPIBackend } from "openapi-backend";
import { length, text } from "./reply.mjs";

const answer = (context, request, response) =>
  response.writeHead(200, { "content-type": "application/json", "content-length": length }).end(text);
const refuse = (context, request, response) => response.writeHead(400).end(JSON.stringify(context.validation.errors));
const api = new OpenAPIBackend({
  definition: "description.json",
  apiRoot: "/v4",
  quick: true,
  ajvOpts: { strict: false },
  handlers: { createInstance: answer, listInstances: answer, validationFail: refuse },
});
await api.init();

export const server = createServer((request, response) => {
  const handle = (body) => {
    const { method, headers } = request;
    const [path, query] = request.url.split("?");
    void api.handleRequest({ method, path, query, headers, body }, request, response);
  };
  if (request.method !== "POST") return handle();
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => handle(JSON.parse(Buffer.concat(chunks).toString())));
});
