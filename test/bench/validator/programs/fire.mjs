// Sends a number of requests of a kind to a port over 16 persistent connections, and reports the last response.
import { connect } from "node:net";
import { valid } from "./bodies.mjs";
import { text } from "./reply.mjs";

const body = JSON.stringify(valid);
const head =
  "HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nAuthorization: Bearer t\r\nUser-Agent: fire\r\n";
const requests = {
  create: `POST /v4/compute/instances ${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  list: `GET /v4/compute/instances?page=2&page_size=50 ${head}\r\n`,
};

process.on("message", ({ port, kind, count }) => {
  const bytes = Buffer.from(requests[kind]);
  let [unsent, unanswered] = [count, count];
  for (let connection = 0; connection < 16; connection += 1) {
    const socket = connect(port, "127.0.0.1").setNoDelay();
    let heard = "";
    const send = () => {
      heard = "";
      if (unsent > 0) socket.write(bytes);
      else socket.end();
      unsent -= 1;
    };
    socket.on("connect", send);
    socket.on("data", (data) => {
      heard += data.toString("latin1");
      if (!heard.endsWith(text) && !heard.endsWith("0\r\n\r\n")) return;
      if (!heard.startsWith("HTTP/1.1 200 ")) throw new Error(heard);
      unanswered -= 1;
      if (unanswered === 0) process.send("done");
      send();
    });
  }
});
process.once("disconnect", () => process.exit());
