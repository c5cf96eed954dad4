// Parses the request, and responds with prepared bytes.
import { createServer } from "node:http";
import { kinds } from "./rows.mjs";

const text = (kind) => JSON.stringify(kinds[kind].reply);
const [created, one, list] = [text("createInstance"), text("getInstance"), text("listInstances")];

export const server = createServer((request, response) => {
  if (request.method !== "POST") return answer(response, request.url.includes("?") ? list : one);
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    request.body = JSON.parse(Buffer.concat(chunks).toString());
    answer(response, created);
  });
});

function answer(response, body) {
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body);
}
