// Sends a number of requests of a kind to a port over persistent connections. Reports the milliseconds until the last response, or what is wrong
// with one. Requests sent before each of them are not timed, and then one connection is used.
import { connect } from "node:net";
import { kinds } from "./requests.mjs";

process.on("message", ({ port, kind, before, first, count, connections, stored }) => {
  const requests = Array.from({ length: count }, (_, number) => [
    ...(before === undefined ? [] : [{ kind: before, bytes: kinds[before](first + number, stored) }]),
    { kind, bytes: kinds[kind](first + number, stored) },
  ]).flat();
  let [sent, answered, isOver, untimed, started] = [0, 0, false, 0, performance.now()];
  const end = (report) => {
    if (!isOver) process.send(report);
    isOver = true;
  };
  for (let connection = 0; connection < Math.min(connections, count); connection += 1) {
    const socket = connect(port, "127.0.0.1").setNoDelay();
    let heard = [];
    let [asked, length, missing] = [undefined, -1, 0];
    const send = () => {
      [asked, heard, length, missing] = [requests[sent], [], -1, 0];
      sent += 1;
      if (asked === undefined) return void socket.end();
      asked.at = performance.now();
      socket.write(asked.bytes);
    };
    socket.on("connect", send);
    socket.on("error", (error) => end({ wrong: error.message }));
    socket.on("close", () => {
      if (asked !== undefined) end({ wrong: "A connection was closed before the answer." });
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
      const wrong = faultOf(Buffer.concat(heard).latin1Slice(), asked.kind);
      if (wrong !== undefined) return void (end({ wrong }), socket.destroy());
      if (asked.kind === before) untimed += performance.now() - asked.at;
      answered += 1;
      if (answered === requests.length) end({ milliseconds: performance.now() - started - untimed });
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

/** One instance or domain has its id, and a list a full page. */
function faultOf(heard, kind) {
  if (!heard.startsWith("HTTP/1.1 200 ")) return heard;
  const body = heard.slice(heard.indexOf("\r\n\r\n") + 4);
  if (/^(get|create|deploy|update)/.test(kind)) return body.startsWith('{"id":') ? undefined : heard;
  return body.split('"host_uuid":').length === 101 ? undefined : heard;
}

// It never sleeps: waking it would be charged to whichever server is slow enough to let it.
const stayAwake = () => setImmediate(stayAwake);
stayAwake();
