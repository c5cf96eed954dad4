import type { Exchange } from "./guard.js";

/** A request as the web has it. */
export class WebExchange implements Exchange {
  readonly method: string;
  readonly target: string;
  readonly #request: Request;

  /** @param target As it was sent, where that is known; else as the URL has it. */
  constructor(request: Request, target?: string) {
    const { method, url } = request;
    this.#request = request;
    this.method = method;
    this.target = target ?? url.slice(url.indexOf("/", url.indexOf("//") + 2));
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined;
  }

  /** That it is nothing is believed of the body alone, since a request made by hand may have any header. */
  get length(): number | undefined {
    const declared = this.header("content-length");
    if (declared !== undefined && /^[1-9]\d*$/.test(declared)) return Number(declared);
    return this.header("transfer-encoding") === undefined && this.#request.body === null ? 0 : undefined;
  }
}
