// Sends a number of requests of a kind to a port over 16 persistent connections. Reports the milliseconds until the last response, or
// what is wrong with one.
import { deepStrictEqual } from "node:assert";
import { connect } from "node:net";
import { kinds, token } from "./rows.mjs";

const connections = 16;
const requests = new Map(Object.entries(kinds).map(([kind, each]) => [kind, bytesOf(each)]));
const known = new Map();

function bytesOf({ method, path, body }) {
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nAuthorization: Bearer ${token}\r\n`;
  if (body === undefined) return Buffer.from(`${head}\r\n`);
  return Buffer.from(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
}

process.on("message", ({ port, kind, count }) => {
  const bytes = requests.get(kind);
  const started = performance.now();
  let [unsent, unanswered, isOver] = [count, count, false];
  const end = (report) => {
    if (!isOver) process.send(report);
    isOver = true;
  };
  for (let connection = 0; connection < Math.min(connections, count); connection += 1) {
    const socket = connect(port, "127.0.0.1").setNoDelay();
    let heard = "";
    let length = -1;
    const send = () => {
      [heard, length] = ["", -1];
      if (unsent > 0) socket.write(bytes);
      else socket.end();
      unsent -= 1;
    };
    socket.on("connect", send);
    socket.on("error", (error) => end({ wrong: error.message }));
    socket.on("data", (data) => {
      heard += data.latin1Slice();
      if (length === -1) length = lengthOf(heard);
      if (length === -1 || heard.length < length) return;
      const wrong = faultOf(heard, `${port} ${kind}`, kinds[kind].reply);
      if (wrong !== undefined) return void (end({ wrong }), socket.destroy());
      unanswered -= 1;
      if (unanswered === 0) end({ milliseconds: performance.now() - started });
      send();
    });
  }
});
process.once("disconnect", () => process.exit());

/** Length of the complete response in bytes; -1 while unknown. */
function lengthOf(heard) {
  const end = heard.indexOf("\r\n\r\n");
  if (end === -1) return -1;
  return end + 4 + Number(/^content-length: (\d+)\r$/im.exec(heard.slice(0, end + 1))?.[1] ?? Number.NaN);
}

/** The first response has to match the expected one, and every later one has to equal it. */
function faultOf(heard, about, reply) {
  if (!heard.startsWith("HTTP/1.1 200 ")) return heard;
  const before = known.get(about);
  if (before !== undefined) return heard.endsWith(before) ? undefined : heard;
  const text = heard.slice(heard.indexOf("\r\n\r\n"));
  try {
    deepStrictEqual(JSON.parse(text), reply);
  } catch (error) {
    return error.message;
  }
  known.set(about, text);
  return undefined;
}

// It never sleeps: waking it would be charged to whichever server is slow enough to let it.
const stayAwake = () => setImmediate(stayAwake);
stayAwake();
