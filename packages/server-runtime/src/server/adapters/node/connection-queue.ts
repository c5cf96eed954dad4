import { runSoon } from "../../http/event-loop.js";
import { ClientDisconnectedError } from "../../http/http-request.js";
import { isDisconnected, onResponseEnd, type NodePair, type NodeSocket } from "./node-exchange.js";

/**
 * Runs the requests of one connection one after the other. A client that pipelines occupies the memory of one response at a time,
 * and other connections run between two of its requests.
 *
 * @returns undefined if the request may run now, else a promise that resolves when it may
 * @throws ClientDisconnectedError when the connection closes first
 */
export function waitForConnection(pair: NodePair): Promise<void> | undefined {
  const { socket, httpVersionMajor = 1 } = pair.request;
  // HTTP/2 has its own streams, with windows that limit them.
  if (httpVersionMajor > 1) return undefined;
  const queue = queues.get(socket);
  if (queue === undefined) {
    queues.set(socket, { running: pair, waiting: [] });
    return undefined;
  }
  if (queue.waiting.length === 0 && isSent(queue.running)) {
    queue.running = pair;
    return undefined;
  }
  return enqueue(pair, queue);
}

interface Queue {
  running: NodePair;
  readonly waiting: Waiting[];
}

interface Waiting {
  readonly pair: NodePair;
  readonly run: () => void;
  readonly reject: () => void;
}

const queues = new WeakMap<NodeSocket, Queue>();

// A read of 64 KiB has some hundreds of requests with credentials. Browsers and HTTP libraries pipeline none, and load generators a few.
const maxPipelinedRequests = 1000;
const maxPipelinedRequestsTotal = 10_000;
let waitingInAll = 0;

function isSent(pair: NodePair): boolean {
  return pair.response.writableFinished || isDisconnected(pair);
}

function enqueue(pair: NodePair, queue: Queue): Promise<void> {
  const { socket } = pair.request;
  if (queue.waiting.length >= maxPipelinedRequests || waitingInAll >= maxPipelinedRequestsTotal) socket.destroy();
  if (isDisconnected(pair)) return Promise.reject(new ClientDisconnectedError());
  return new Promise((resolve, reject) => {
    if (queue.waiting.length === 0) {
      // Node stops reading the connection. What it has read is parsed already.
      socket.pause?.();
      onResponseEnd(queue.running, () => advance(queue));
    }
    waitingInAll += 1;
    queue.waiting.push({ pair, run: resolve, reject: () => reject(new ClientDisconnectedError()) });
  });
}

/** Runs the next request after the previous response was sent or its connection closed. */
function advance(queue: Queue): void {
  if (queue.waiting.length === 0 || !isSent(queue.running)) return;
  const next = queue.waiting.shift() as Waiting;
  waitingInAll -= 1;
  queue.running = next.pair;
  if (isDisconnected(next.pair)) {
    next.reject();
    return advance(queue);
  }
  if (queue.waiting.length > 0) onResponseEnd(next.pair, () => advance(queue));
  else next.pair.request.socket.resume?.();
  runSoon(next.run);
}
