// Sends requests of a kind to a port as it is told, over connections that are kept, and tells how many milliseconds all answers took, or what was wrong
// with one.
import { connect } from "node:net";
import { kinds } from "./requests.mjs";

process.on("message", ({ port, kind, first, count, connections, stored }) => {
  const requests = Array.from({ length: count }, (_, number) => kinds[kind](first + number, stored));
  const started = performance.now();
  let [sent, answered, isOver] = [0, 0, false];
  const end = (told) => {
    if (!isOver) process.send(told);
    isOver = true;
  };
  for (let connection = 0; connection < Math.min(connections, count); connection += 1) {
    const socket = connect(port, "127.0.0.1").setNoDelay();
    let heard = [];
    let [length, missing, isDone] = [-1, 0, false];
    const send = () => {
      [heard, length, missing] = [[], -1, 0];
      isDone = sent >= count;
      if (isDone) socket.end();
      else socket.write(requests[sent]);
      sent += 1;
    };
    socket.on("connect", send);
    socket.on("error", (error) => end({ wrong: error.message }));
    socket.on("close", () => {
      if (!isDone) end({ wrong: "A connection was closed before the answer." });
    });
    socket.on("data", (data) => {
      heard.push(data);
      if (length === -1) {
        const text = Buffer.concat(heard).latin1Slice();
        length = lengthOf(text);
        missing = length - text.length;
        if (length === -1) return;
      } else missing -= data.length;
      if (missing > 0) return;
      const wrong = faultOf(Buffer.concat(heard).latin1Slice(), kind);
      if (wrong !== undefined) return void (end({ wrong }), socket.destroy());
      answered += 1;
      if (answered === count) end({ milliseconds: performance.now() - started });
      send();
    });
  }
});
process.once("disconnect", () => process.exit());

/** Of the whole answer; -1 while that is not known. */
function lengthOf(heard) {
  const end = heard.indexOf("\r\n\r\n");
  if (end === -1) return -1;
  return end + 4 + Number(/^content-length: (\d+)\r$/im.exec(heard.slice(0, end + 1))?.[1] ?? Number.NaN);
}

/** One instance or domain has its id, and a list a full page. */
function faultOf(heard, kind) {
  if (!heard.startsWith("HTTP/1.1 200 ")) return heard;
  const body = heard.slice(heard.indexOf("\r\n\r\n") + 4);
  if (/^(get|create|deploy)/.test(kind)) return body.startsWith('{"id":') ? undefined : heard;
  return body.split('"host_uuid":').length === 101 ? undefined : heard;
}

// It never sleeps: waking it would be charged to whichever server is slow enough to let it.
const stayAwake = () => setImmediate(stayAwake);
stayAwake();
