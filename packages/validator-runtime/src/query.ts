import { fail, type Faults } from "./faults.js";
import { add, asItIs, decodePercent, sentByName, type Sent } from "./sent.js";

/** More pairs than this are refused: 16 KiB of a request line could hold 8,000. */
export const mostPairs = 1000;

/** Longer queries are refused, where a host lets them through at all. */
export const longestQuery = 65_536;

/** A query, or a form, which is written the same way. Nothing nests: `a[b]` is a name like any other. */
export function readQuery(text: string, faults: Faults): Sent {
  if (text === "") return none;
  const texts = new Map<string, string | string[]>();
  let pairs = 0;
  for (let start = 0; start <= text.length;) {
    const ampersand = text.indexOf("&", start);
    const end = ampersand === -1 ? text.length : ampersand;
    if (end > start) {
      pairs += 1;
      if (pairs > mostPairs) {
        fail(faults, "many", mostPairs);
        return none;
      }
      addPair(texts, text.slice(start, end), faults);
    }
    start = end + 1;
  }
  return sentByName(texts, decodePlus);
}

/** What was decoded by somebody else. */
export function decodedQuery(parameters: URLSearchParams): Sent {
  const texts = new Map<string, string | string[]>();
  for (const [name, value] of parameters) add(texts, name, value);
  return sentByName(texts, asItIs);
}

const none: Sent = /* @__PURE__ */ sentByName(new Map(), decodePlus);

function addPair(texts: Map<string, string | string[]>, pair: string, faults: Faults): void {
  const equals = pair.indexOf("=");
  const name = decodePlus(equals === -1 ? pair : pair.slice(0, equals));
  const value = equals === -1 ? "" : pair.slice(equals + 1);
  // Also of parameters that nobody described: what comes after us may read them.
  if (name === undefined || decodePlus(value) === undefined) fail(faults, "syntax", "percent-encoded UTF-8");
  else add(texts, name, value);
}

function decodePlus(text: string): string | undefined {
  if (beyondAscii.test(text)) return undefined;
  return decodePercent(text.includes("+") ? text.replaceAll("+", " ") : text);
}

// Hosts disagree on what bytes beyond ASCII are when they are not encoded.
const beyondAscii = /[^\x20-\x7e]/;
