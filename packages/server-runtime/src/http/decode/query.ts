import { addIssue, type Issues } from "../issues/issues.js";
import { addValue, identity, decodePercent, parametersByName, type RawParameters } from "./raw-parameters.js";

/** Maximum number of pairs in a query. A request line of 16 KiB could have 8,000. */
export const maxQueryPairs = 1000;

/** Maximum length of a query in characters, if the server accepts such a long one. */
export const maxQueryLength = 65_536;

/** Parses a query or a form, which have the same syntax. Names do not nest: `a[b]` is an ordinary name. */
export function readQuery(text: string, issues: Issues): RawParameters {
  if (text === "") return noParameters;
  const texts = new Map<string, string | string[]>();
  let pairs = 0;
  for (let start = 0; start <= text.length;) {
    const ampersand = text.indexOf("&", start);
    const end = ampersand === -1 ? text.length : ampersand;
    if (end > start) {
      pairs += 1;
      if (pairs > maxQueryPairs) {
        addIssue(issues, "tooManyParameters", maxQueryPairs);
        return noParameters;
      }
      addPair(texts, text.slice(start, end), issues);
    }
    start = end + 1;
  }
  return parametersByName(texts, decodePlus);
}

/** Values that are decoded already. */
export function readSearchParams(parameters: URLSearchParams): RawParameters {
  const texts = new Map<string, string | string[]>();
  for (const [name, value] of parameters) addValue(texts, name, value);
  return parametersByName(texts, identity);
}

const noParameters: RawParameters = /* @__PURE__ */ parametersByName(new Map(), decodePlus);

function addPair(texts: Map<string, string | string[]>, pair: string, issues: Issues): void {
  const equals = pair.indexOf("=");
  const name = decodePlus(equals === -1 ? pair : pair.slice(0, equals));
  const value = equals === -1 ? "" : pair.slice(equals + 1);
  // Also for undocumented parameters, which a handler may read.
  if (name === undefined || decodePlus(value) === undefined) addIssue(issues, "syntax", "percent-encoded UTF-8");
  else addValue(texts, name, value);
}

function decodePlus(text: string): string | undefined {
  if (beyondAscii.test(text)) return undefined;
  return decodePercent(text.includes("+") ? text.replaceAll("+", " ") : text);
}

// Servers decode unencoded bytes beyond ASCII differently.
const beyondAscii = /[^\x20-\x7e]/;
