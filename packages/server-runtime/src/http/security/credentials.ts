import { readQuery } from "../decode/query.js";
import { cookieParameters } from "../decode/raw-parameters.js";
import type { RequestHead } from "../request/request-head.js";
import type { BasicCredentials, SecurityScheme } from "./security.js";

/** The request has a value where the credential belongs, but it is not a valid credential. */
export const malformedCredential: unique symbol = Symbol("malformed");

/** The Authorization header has another scheme, perhaps one of those that the operation accepts. */
export const otherScheme: unique symbol = Symbol("other");

/** The credential that the client sent for a scheme: a text, a user name and password, or for mutual TLS the request. Undefined for none. */
export function readCredential(scheme: SecurityScheme | undefined, received: RequestHead): unknown {
  switch (scheme?.kind) {
    case undefined:
      return undefined;
    case "bearer":
    case "oauth2":
    case "openIdConnect":
      return authorization("bearer", received);
    case "basic": {
      const text = authorization("basic", received);
      return typeof text === "string" ? parseBasic(text) : text;
    }
    case "http":
      // Parameters, such as those of Digest, have spaces between them.
      return authorization(scheme.scheme.toLowerCase(), received, isPrintable);
    case "mutualTLS":
      return received;
    case "apiKey":
      return readApiKey(scheme, received);
  }
}

/** The location of a scheme's credential. Schemes with one location receive the same credential. */
export function credentialLocation(scheme: SecurityScheme | undefined): string {
  if (scheme?.kind === "apiKey")
    return scheme.in === "header" ? `header ${scheme.key.toLowerCase()}` : `${scheme.in} ${scheme.key}`;
  return scheme?.kind === "mutualTLS" ? "certificate" : "header authorization";
}

const isToken = /^[!-~]+$/;
const isPrintable = /^[ -~]+$/;

/** The credentials after the name of the scheme. */
function authorization(
  scheme: string,
  received: RequestHead,
  form: RegExp = isToken,
): string | typeof malformedCredential | typeof otherScheme | undefined {
  const header = received.header("authorization");
  if (header === undefined || header === "") return undefined;
  const schemeEnd = header.indexOf(" ");
  const name = schemeEnd === -1 ? header : header.slice(0, schemeEnd);
  const sent = schemeEnd === -1 ? "" : header.slice(schemeEnd + 1).trim();
  if (name.toLowerCase() !== scheme) return otherScheme;
  return form.test(sent) && !isSeveral(sent) ? sent : malformedCredential;
}

/** Whether other credentials follow, as in `a="1", Digest a="2"`. Several headers arrive as one, joined with commas. */
function isSeveral(sent: string): boolean {
  if (!sent.includes(",")) return false;
  // What is not closed matches to the end, and stays as it is: no text behind a quote is searched twice.
  const unquoted = sent.replaceAll(/"(?:[^"\\]|\\.)*("?)/g, (text, end) => (end === "" ? text : '""'));
  return /,\s*(?:$|[^\s=,"]+\s+[^\s=])/.test(unquoted);
}

function parseBasic(text: string): BasicCredentials | typeof malformedCredential {
  try {
    const bytes = Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
    const plain = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const colon = plain.indexOf(":");
    return colon === -1 ? malformedCredential : { username: plain.slice(0, colon), password: plain.slice(colon + 1) };
  } catch {
    return malformedCredential;
  }
}

function readApiKey(
  { in: location, key }: Extract<SecurityScheme, { kind: "apiKey" }>,
  received: RequestHead,
): string | typeof malformedCredential | undefined {
  if (location === "header") return received.header(key.toLowerCase()) || undefined;
  const question = received.target.indexOf("?");
  const sent =
    location === "cookie"
      ? cookieParameters(received.header("cookie"))
      : readQuery(question === -1 ? "" : received.target.slice(question + 1), []);
  const value = sent.get(key);
  if (value === undefined || value === "") return undefined;
  return typeof value === "string" ? (sent.decode(value) ?? malformedCredential) : malformedCredential;
}
