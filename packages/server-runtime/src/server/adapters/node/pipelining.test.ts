import { describe, expect, it } from "vitest";
import { adapterNames } from "../adapters.support.js";
import { ann, startLimitedServer, until } from "../limited-server.support.js";
import { request } from "../raw-http.support.js";

const lines = { getPage: "GET /pages/{page}" };

interface PageInput {
  readonly path: { readonly page: number };
}

/** Handlers that record what runs concurrently, and yield to other work. */
function pages(): {
  readonly most: () => number;
  readonly order: number[];
  readonly handlers: Parameters<typeof startLimitedServer>[1];
} {
  let running = 0;
  let most = 0;
  const order: number[] = [];
  const getPage = async (input: unknown): Promise<unknown> => {
    const { page } = (input as PageInput).path;
    order.push(page);
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    return { status: 200, body: { page } };
  };
  return { most: () => most, order, handlers: { getPage } };
}

describe.each(adapterNames)("%s", (name) => {
  it("runs one request of a connection at a time, and responds in their order", async () => {
    const { most, order, handlers } = pages();
    const host = await startLimitedServer({ lines }, handlers).listen(name);
    const wire = host.wire();
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    wire.send(numbers.map((page) => request(`GET /v1/pages/${page}`, undefined, ann)).join(""));
    const bodies: string[] = [];
    for (const _ of numbers) bodies.push((await wire.answer()).body);
    expect(bodies).toEqual(numbers.map((page) => `{"page":${page}}`));
    expect({ most: most(), order }).toEqual({ most: 1, order: numbers });
  });

  it("runs requests of other connections in between", async () => {
    const { order, handlers } = pages();
    const host = await startLimitedServer({ lines }, handlers).listen(name);
    const [many, evaluation] = [host.wire(), host.wire()];
    many.send(request("GET /v1/pages/0", undefined, ann));
    evaluation.send(request("GET /v1/pages/0", undefined, ann));
    await Promise.all([many.answer(), evaluation.answer()]);
    order.length = 0;
    many.send(request("GET /v1/pages/1", undefined, ann).repeat(100));
    await until(() => order.length > 0);
    evaluation.send(request("GET /v1/pages/2", undefined, ann));
    await evaluation.answer();
    expect(order.length).toBeLessThan(50);
  });

  it("does not run requests that wait on a closed connection", async () => {
    let finish = (): void => {};
    const order: number[] = [];
    const getPage = async (input: unknown): Promise<unknown> => {
      const { page } = (input as PageInput).path;
      order.push(page);
      if (page === 0) await new Promise<void>((resolve) => (finish = resolve));
      return { status: 200, body: {} };
    };
    const api = startLimitedServer({ lines }, { getPage });
    const host = await api.listen(name);
    const closing = host.wire();
    const closed = new Promise<void>((resolve) =>
      host.server.once("connection", (socket) => socket.once("close", () => resolve())),
    );
    closing.send(request("GET /v1/pages/0", undefined, ann), request("GET /v1/pages/1", undefined, ann));
    await until(() => order.length > 0);
    closing.socket.resetAndDestroy();
    // A paused connection notices its end when it sends.
    finish();
    await closed;
    const wire = host.wire();
    wire.send(request("GET /v1/pages/2", undefined, ann));
    expect(await wire.answer()).toMatchObject({ status: 200 });
    expect([order, api.log]).toEqual([[0, 2], []]);
  });
});

describe("node", () => {
  it("closes a connection with more waiting requests than any client pipelines", async () => {
    const { order, handlers } = pages();
    const api = startLimitedServer({ lines }, handlers);
    const host = await api.listen("node");
    const wire = host.wire();
    wire.send(request("GET /v1/pages/1", undefined, ann).repeat(2000));
    await wire.closed;
    expect([order.length < 50, api.log]).toEqual([true, []]);
  });
});
