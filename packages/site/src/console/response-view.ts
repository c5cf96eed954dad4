import type { ValidationIssue } from "@plumbline/server-runtime/http";
import { element } from "./elements.js";
import { formatJson } from "./format-json.js";
import type { ReadResponse } from "./send.js";

/** What the description says about a response. */
export interface ResponseCheck {
  readonly issues: readonly ValidationIssue[];
  /** Why only a part was checked. */
  readonly limitation: string | undefined;
}

/** Characters of a body beyond which the page shows no more. */
const maxShownLength = 200_000;

/** Creates the elements of a response, and of its check. */
export function responseElements(response: ReadResponse, check: ResponseCheck): readonly HTMLElement[] {
  const { status, statusText, milliseconds, headers, bytes } = response;
  return [
    element(
      "p",
      { class: "outcome" },
      element("span", { class: `status s${String(status).charAt(0)}` }, `${status} ${statusText}`.trim()),
      element("span", { class: "text" }, `${Math.max(1, Math.round(milliseconds))} ms`),
      element("span", { class: "text" }, sizeText(bytes.length)),
    ),
    checkElement(check),
    ...(bytes.length === 0 ? [] : [bodyElement(response)]),
    headersElement(headers),
  ];
}

function checkElement({ issues, limitation }: ResponseCheck): HTMLElement {
  const [first] = issues;
  const summary =
    first === undefined
      ? (limitation ?? "As described: the status is documented, and the body matches its schema.")
      : issues.length === 1
        ? "Not as described:"
        : `Not as described, in ${issues.length} places:`;
  return element(
    "div",
    { class: first !== undefined ? "check failed" : limitation === undefined ? "check passed" : "check" },
    element("p", {}, summary),
    ...(first === undefined ? [] : [element("ul", {}, ...issues.slice(0, 20).map(issueElement))]),
  );
}

function issueElement({ field, reason, code }: ValidationIssue): HTMLElement {
  return element(
    "li",
    {},
    ...(field === undefined ? [] : [element("code", {}, field), " "]),
    `${reason} `,
    element("span", { class: "badge" }, code),
  );
}

function headersElement(headers: ReadResponse["headers"]): HTMLElement {
  return element(
    "details",
    { class: "headers" },
    element("summary", {}, `Headers (${headers.length})`),
    element(
      "dl",
      { class: "pairs" },
      ...headers.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))),
    ),
  );
}

function bodyElement({ type = "", bytes, isCut }: ReadResponse): HTMLElement {
  const code = element("code", {});
  if (isText(type, bytes)) {
    const text = new TextDecoder().decode(bytes);
    const tokens = /[/+]json\b/.test(type) && text.length <= maxShownLength ? formatJson(text) : undefined;
    if (tokens === undefined) code.textContent = text.slice(0, maxShownLength);
    else
      code.append(
        ...tokens.map(({ text: piece, kind }) =>
          kind === undefined ? piece : element("span", { class: `s-${kind}` }, piece),
        ),
      );
    if (isCut || text.length > maxShownLength) code.append("\n…");
  } else code.textContent = `${sizeText(bytes.length)} of ${type || "an unknown type"}`;
  return element(
    "div",
    { class: "sample" },
    element("p", { class: "sample-label" }, type === "" ? "Body" : type),
    element("pre", { tabindex: "0" }, code),
  );
}

function isText(type: string, bytes: Uint8Array): boolean {
  return /^text\/|json|xml|yaml|x-www-form-urlencoded|graphql/.test(type) || !bytes.subarray(0, 1024).includes(0);
}

function sizeText(bytes: number): string {
  return bytes < 1024 ? `${bytes} ${bytes === 1 ? "byte" : "bytes"}` : `${(bytes / 1024).toFixed(1)} kB`;
}
