import { createServer } from "node:http";

export const server = createServer((request, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "2" }).end("{}");
});
