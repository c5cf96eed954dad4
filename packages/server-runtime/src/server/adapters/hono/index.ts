import type { Meter } from "../../../http/index.js";
import type { Server } from "../../http/server.js";
import { addressIn } from "../fetch/bindings.js";
import { WebServerRequest, webStream } from "../fetch/web-request.js";
import { handleWebRequest } from "../fetch/web-response.js";

/** The part of Hono's context that the adapter uses. */
export interface HonoServerContext {
  readonly req: {
    readonly raw: Request;
    /** The bodies that `context.req.json()` and similar methods have read, and read again from here. */
    readonly bodyCache: object;
    arrayBuffer(): Promise<ArrayBuffer>;
  };
  readonly env: unknown;
}

export type HonoMiddleware = (context: HonoServerContext, next: () => Promise<void>) => Promise<Response | void>;

/**
 * Creates Hono middleware. It responds to requests below the base paths and passes others to the app's own handlers.
 * It can read a body again that the app has read through the context, such as with `c.req.json()`. If the app has read it from the raw request, the request fails.
 *
 * @example
 * app.use(honoMiddleware(server));
 */
export function honoMiddleware(server: Server): HonoMiddleware {
  return (context, next) => handleWebRequest({ server, received: new HonoServerRequest(context) }) ?? next();
}

class HonoServerRequest extends WebServerRequest {
  readonly #context: HonoServerContext;

  constructor(context: HonoServerContext) {
    super(context.req.raw, () => addressIn(context.env), context.env);
    this.#context = context;
  }

  override async bytes(limit: number, isDeclared: boolean, meter?: Meter): Promise<Uint8Array | undefined> {
    if (!this.#isCached()) return super.bytes(limit, isDeclared, meter);
    meter?.done();
    const bytes = new Uint8Array(await this.#context.req.arrayBuffer());
    return bytes.length > limit ? undefined : bytes;
  }

  override stream(limit: number, meter?: Meter): ReadableStream<Uint8Array> {
    return this.#isCached() ? webStream(this.#cached(), limit, meter) : super.stream(limit, meter);
  }

  #isCached(): boolean {
    return Object.keys(this.#context.req.bodyCache).length > 0;
  }

  #cached(): ReadableStream<Uint8Array> {
    const readBytes = async (): Promise<Uint8Array> => new Uint8Array(await this.#context.req.arrayBuffer());
    return new ReadableStream({
      start: async (controller) => {
        controller.enqueue(await readBytes());
        controller.close();
      },
    });
  }
}
