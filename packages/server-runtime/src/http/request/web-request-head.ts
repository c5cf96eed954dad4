import type { RequestHead } from "./request-head.js";

/** A web request. */
export class WebRequestHead implements RequestHead {
  readonly method: string;
  readonly target: string;
  readonly #request: Request;

  /** @param target as the client sent it, if known; else from the URL */
  constructor(request: Request, target?: string) {
    const { method, url } = request;
    this.#request = request;
    this.method = method;
    this.target = target ?? url.slice(url.indexOf("/", url.indexOf("//") + 2));
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined;
  }

  /** A length of 0 counts only without a body: a program may create a request with any header. */
  get length(): number | undefined {
    const declared = this.header("content-length");
    if (declared !== undefined && /^[1-9]\d*$/.test(declared)) return Number(declared);
    return this.header("transfer-encoding") === undefined && this.#request.body === null ? 0 : undefined;
  }
}
