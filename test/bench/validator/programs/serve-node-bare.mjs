import { createServer } from "node:http";
import { length, text } from "./reply.mjs";

export const server = createServer((request, response) => {
  const answer = () =>
    response.writeHead(200, { "content-type": "application/json", "content-length": length }).end(text);
  if (request.method !== "POST") return answer();
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    request.body = JSON.parse(Buffer.concat(chunks).toString());
    answer();
  });
});
