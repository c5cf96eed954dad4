import type { ApiPromise } from "./api-promise.js";
import type { CallOptions, Client } from "./client.js";
import { ApiError, type ApiErrorCode, type ApiErrorInit } from "./errors.js";
import type { Operation, OutgoingRequest, RequestArguments, RequestEncoder } from "./operation.js";
import { setHeader } from "./request/headers.js";
import { encodeSegment } from "./request/path.js";
import { parseHttpUrl } from "./request/url.js";
import type { DecodeContext } from "./response/responses.js";
import { onAbort } from "./timing/signals.js";

/** The function of an operation. Generated code has the types of its request, its result and its errors. */
export type OperationFunction = (
  client: Client,
  request: never,
  options?: CallOptions,
) => ApiPromise<unknown, unknown, unknown>;

const utf8 = /* @__PURE__ */ new TextDecoder("utf8", { fatal: true });

/**
 * Creates the function of an operation. It sends a request, and returns the decoded body of a 2xx response. It throws an `ApiError`, or what a
 * function among the options throws.
 *
 * @param method such as `GET`
 * @param path `{name}` stands for a parameter
 * @param encoders encode the arguments outside of the path, in this order: `query`, `headers`, `cookies`, the body
 * @param more the header `Accept`, encoders of path parameters, the decoder, and who may call it
 * @typeParam F the type of the function
 *
 * @example
 * export const getInstance: (client: Client, request: GetInstanceRequest, options?: CallOptions) => ApiPromise<Instance, GetInstanceError> =
 *   defineOperation("GET", "/compute/instances/{computeId}");
 */
export function defineOperation<F extends OperationFunction>(
  method: string,
  path: string,
  encoders?: readonly RequestEncoder[],
  more?: Omit<Operation, "method" | "path" | "encoders">,
): F {
  const operation: Operation = { method, path, ...more };
  const { decoder, pathEncoder = encodeSegment } = operation;
  // Every second part is the name of a parameter.
  const parts = path.split(/[{}]/);

  const call = (
    client: Client,
    given: RequestArguments = {},
    options: CallOptions = {},
  ): ApiPromise<unknown, unknown> => {
    const defaults = client.options();
    const merged: Record<string, unknown> = { ...defaults };
    for (const name in options) merged[name] = options[name as keyof CallOptions] ?? merged[name];
    const {
      token,
      baseUrl,
      onRequest: _onRequest,
      fetch: send = fetch,
      timeout = 0,
      authorize,
      signal,
      onResponse: _onResponse,
      ...fetchOptions
    } = merged as CallOptions;

    // Not within the executor: a minifier may move a read of `pending` to a place before the first `await`.
    let resolve!: (value: unknown) => void;
    let reject!: (reason: unknown) => void;
    const pending: ApiPromise<unknown, unknown> & { response?: Response } = new Promise((onValue, onError) => {
      resolve = onValue;
      reject = onError;
    });

    const exchange = async (): Promise<void> => {
      /** The URL without secrets. */
      let shown = path;
      let response: Response | undefined;
      /** The code of what is thrown from here on. Empty while a function of the options runs, whose errors pass unchanged. */
      let code: ApiErrorCode | "" = "request";
      const toError: DecodeContext["toError"] = (codeOfError, facts, thrown) =>
        new ApiError({
          code: codeOfError,
          method,
          url: shown,
          // Without the cause: its properties may have the value that could not be encoded.
          text: (thrown as Error)?.message,
          ...(codeOfError === "network" && {
            // The cause of Node's error has the network's code, such as ECONNREFUSED.
            text: (thrown as { cause?: { code?: string } })?.cause?.code ?? "no response",
            // A custom `fetch` may quote the URL, and with it a key in the query.
            ...(request.url === shown && { cause: thrown }),
          }),
          ...facts,
        });

      // Rejects by itself, not through `fetch`: a hook may hang, and a custom `fetch` may ignore signals.
      const stop = (codeOfError: ApiErrorCode, facts?: Partial<ApiErrorInit>): void => {
        const error = toError(codeOfError, facts);
        reject(error);
        controller?.abort(error);
        reading.close();
      };
      const abort = (): void => stop("aborted", { cause: signal?.reason });
      // A longer delay than 2^31 - 1 ms would end at once.
      const timer = timeout > 0 && timeout < 2 ** 31 ? setTimeout(stop, timeout, "timeout") : undefined;
      const leave = signal && onAbort(signal, abort);
      // Only if something may abort: its signal costs as much as the rest of a call.
      const controller = timer || signal ? new AbortController() : undefined;
      const headers = new Headers();
      const request: OutgoingRequest & { method: string; readonly signal: AbortSignal | undefined } = {
        ...fetchOptions,
        operation,
        method,
        url: path,
        send,
        signal: controller?.signal,
        headers,
      };
      const reading: DecodeContext = {
        toError,
        signal: controller?.signal,
        close() {
          clearTimeout(timer);
          leave?.();
        },
      };
      if (signal?.aborted) return abort();
      try {
        let [, target, origin, query] = parseHttpUrl(baseUrl);
        parts.forEach((part, index) => {
          target += index % 2 ? pathEncoder(part, given.path?.[part as keyof object]) : part;
        });
        shown = request.url = target + query;
        const lines: Record<string, string | undefined> = {
          accept: operation.accept ?? "application/json, */*;q=0.5",
          ...defaults.headers,
          ...options.headers,
        };
        for (const name in lines)
          if (lines[name] === undefined) headers.delete(name);
          else setHeader(headers, name, lines[name]);
        encoders?.forEach((encode) => encode(request, given));
        shown = request.url;
        code = "";
        // Each by its name: a loop takes longer, and so does `await` without a promise.
        if (defaults.onRequest) await defaults.onRequest(request);
        if (options.onRequest) await options.onRequest(request);
        code = "request";
        target = origin;
        // Parsed again only if a hook has changed it.
        if (request.url !== shown) [shown, , target] = parseHttpUrl(request.url);
        request.url = shown;
        if (target === origin && !operation.public) {
          code = "";
          const secret = typeof token === "function" ? await token() : token;
          code = "request";
          if (secret && !headers.has("authorization")) setHeader(headers, "authorization", `Bearer ${secret}`);
          code = "";
          if (authorize) await authorize(request, operation);
        }
        // Credentials may have come too late.
        if (request.signal?.aborted) return;
        code = "network";
        request.method = method;
        // Not a method: some platforms want `fetch` without a `this`.
        const { send: sendRequest } = request;
        response = await sendRequest(request.url, request as RequestInit);
        pending.response = response;
        code = "";
        if (defaults.onResponse) await defaults.onResponse(response, request);
        if (options.onResponse) await options.onResponse(response, request);
        const { ok, headers: replied } = response;
        const decoded = ok && response.body && decoder?.(response, reading);
        if (decoded) return resolve(await decoded);
        code = "network";
        const bytes = await response.arrayBuffer();
        code = "";
        const type = replied.get("content-type");
        let body: unknown;
        try {
          if (bytes.byteLength) body = JSON.parse(!type || /json(?!-)/i.test(type) ? utf8.decode(bytes) : "");
          if (ok) return resolve(body);
        } catch {
          body = new TextDecoder().decode(bytes).slice(0, 4096);
        }
        throw toError(ok ? "decode" : "http", {
          text: ok ? `not JSON: ${type ?? "body"}` : response.statusText,
          status: response.status,
          body,
          headers: replied,
        });
      } catch (cause) {
        // The body is not needed any more. `cancel` fails for a locked body, and a custom `fetch` may return a body without it.
        response?.body?.cancel?.().catch(() => {});
        reject(code ? toError(code, {}, cause) : cause);
      } finally {
        reading.close();
      }
    };

    // It handles its own errors, so that nothing has to wait for it.
    void exchange();
    return pending;
  };
  return call as unknown as F;
}
