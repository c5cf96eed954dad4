import { fail, type Faults } from "./faults.js";
import { add, asItIs, decodePercent, sentByName, type Sent } from "./sent.js";

/** Maximum number of pairs in a query. A request line of 16 KiB could have 8,000. */
export const mostPairs = 1000;

/** Maximum length of a query in characters, if the server accepts such a long one. */
export const longestQuery = 65_536;

/** Parses a query or a form, which have the same syntax. Names do not nest: `a[b]` is an ordinary name. */
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

/** Values that are decoded already. */
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
  // Also for undocumented parameters, which a handler may read.
  if (name === undefined || decodePlus(value) === undefined) fail(faults, "syntax", "percent-encoded UTF-8");
  else add(texts, name, value);
}

function decodePlus(text: string): string | undefined {
  if (beyondAscii.test(text)) return undefined;
  return decodePercent(text.includes("+") ? text.replaceAll("+", " ") : text);
}

// Servers decode unencoded bytes beyond ASCII differently.
const beyondAscii = /[^\x20-\x7e]/;
