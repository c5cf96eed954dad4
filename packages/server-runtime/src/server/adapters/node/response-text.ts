import type { HttpResponse } from "../../http/http-response.js";
import { frameResponse } from "../../http/message-framing.js";

/** Formats an HTTP/1.1 response for a connection on which Node has parsed no request. Closes the connection. */
export function responseText(answer: HttpResponse = { status: 400, headers: {} }): string {
  const { status, headers, body = "" } = frameResponse(answer, "GET");
  const lines = Object.entries({ ...headers, Connection: "close" }).map(([name, value]) => `${name}: ${value}`);
  return `${[`HTTP/1.1 ${status} ${phrases[status] ?? ""}`, ...lines].join("\r\n")}\r\n\r\n${typeof body === "string" ? body : ""}`;
}

const phrases: Readonly<Record<number, string>> = {
  400: "Bad Request",
  405: "Method Not Allowed",
  408: "Request Timeout",
  413: "Content Too Large",
  431: "Request Header Fields Too Large",
};
