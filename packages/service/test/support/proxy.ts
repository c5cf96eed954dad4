import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { onTestFinished } from "vitest";

/** A proxy for a database. It can be cut, like a failing network. */
export interface Proxy {
  /** The URL of the database through this proxy. */
  readonly url: string;
  /** Ends all connections, and accepts no new ones. */
  cut(): void;
  /** Accepts connections again, on the same port. */
  restore(): Promise<void>;
  /** Connects new connections to another server, and ends the others. */
  moveTo(url: string): void;
  /** Passes on each piece of data after so many milliseconds. */
  delay(ms: number): void;
}

export async function proxyTo(url: string, host = "127.0.0.1"): Promise<Proxy> {
  let to = new URL(url);
  let delayMs = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const onwards = connect(Number(to.port), to.hostname);
    for (const [each, other] of [
      [socket, onwards],
      [onwards, socket],
    ] as const) {
      sockets.add(each);
      each
        .on("error", () => other.destroy())
        .on("close", () => {
          sockets.delete(each);
          other.destroy();
        });
      let last: Promise<unknown> = Promise.resolve();
      each.on("data", (data) => {
        last = last.then(async () => {
          if (delayMs > 0) await setTimeout(delayMs);
          other.write(data);
        });
      });
      each.on("end", () => void last.then(() => other.end()));
    }
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, host);
    await once(server, "listening");
  };
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const cut = (): void => {
    server.close();
    endAll();
  };
  await listen(0);
  onTestFinished(cut);
  const { port } = server.address() as AddressInfo;
  const its = new URL(url);
  its.port = String(port);
  its.hostname = host;
  const moveTo = (other: string): void => {
    to = new URL(other);
    endAll();
  };
  return { url: its.href, cut, restore: () => listen(port), moveTo, delay: (ms) => (delayMs = ms) };
}
