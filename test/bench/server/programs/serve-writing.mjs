// Like the bare one, but serializes a row as JSON for every response, as any server with rows does.
import { createServer } from "node:http";
import { kinds } from "./rows.mjs";

export const server = createServer((request, response) => {
  if (request.method !== "POST") return answer(response, request.url.includes("?") ? "listInstances" : "getInstance");
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    request.body = JSON.parse(Buffer.concat(chunks).toString());
    answer(response, "createInstance");
  });
});

function answer(response, kind) {
  const body = JSON.stringify(kinds[kind].reply);
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body);
}
