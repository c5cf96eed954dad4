import type { Phrase } from "@plumbline/kit/model";
import Handlebars from "handlebars";

/** Text that is HTML already. Templates and `html` escape every other value. */
export type Html = Handlebars.SafeString;

/** What `html` accepts: HTML, text that it escapes, or a list of both. */
export type HtmlValue = Html | string | number | undefined | readonly HtmlValue[];

/** Creates HTML from a template literal. Its values are escaped, but for those that are HTML already. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = "";
  strings.forEach((part, index) => {
    text += part + (index < values.length ? renderValue(values[index]) : "");
  });
  return trustHtml(text);
}

/** Joins values with a separator, which is escaped, too. */
export function joinHtml(values: readonly HtmlValue[], separator: string): Html {
  return trustHtml(values.map(renderValue).join(escapeHtml(separator)));
}

/** Returns a phrase as HTML. */
export function phraseHtml(words: Phrase): Html {
  return joinHtml(
    words.map((part) => (typeof part === "string" ? part : html`<code>${part.code}</code>`)),
    "",
  );
}

/** Marks a text as HTML. Only for texts of this package and of libraries that escape. */
export function trustHtml(text: string): Html {
  return new Handlebars.SafeString(text);
}

/** Prints a value as JSON for a script element or a classic script: nothing in it ends the element or breaks a line. */
export function scriptJson(value: unknown): Html {
  const escaped = JSON.stringify(value).replaceAll(
    /[<>\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return trustHtml(escaped);
}

/** Escapes a text for elements and for attributes in double quotes. */
export function escapeHtml(text: string): string {
  return /[&<>"']/.test(text) ? text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "") : text;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function renderValue(value: HtmlValue): string {
  if (value === undefined) return "";
  if (typeof value === "string") return escapeHtml(value);
  if (typeof value === "number") return String(value);
  return value instanceof Handlebars.SafeString ? value.toString() : value.map(renderValue).join("");
}
