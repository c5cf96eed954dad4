import { isJsonArray, isJsonObject, type Json } from "@plumbline/kit/model";
import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { escapeHtml, trustHtml, type Html } from "./html.js";

/** The languages of samples. */
export type SampleLanguage = "shell" | "javascript" | "typescript";

/** Colours code as HTML with classes, so that pages need no inline styles. */
export interface Highlighter {
  readonly code: (text: string, language: SampleLanguage) => Html;
}

/** Loads the highlighter and its grammars, once a process: to translate the patterns takes up to half a second. */
export async function loadHighlighter(): Promise<Highlighter> {
  sharedCore ??= createCore();
  const core = await sharedCore;
  return { code: (text, language) => highlight(core, text, language) };
}

let sharedCore: Promise<HighlighterCore> | undefined;

async function createCore(): Promise<HighlighterCore> {
  return createHighlighterCore({
    themes: [createCssVariablesTheme({ name: themeName, variablePrefix: "--" })],
    langs: [
      import("shiki/langs/typescript.mjs"),
      import("shiki/langs/javascript.mjs"),
      import("shiki/langs/shellscript.mjs"),
    ],
    engine: createJavaScriptRegexEngine(),
  });
}

const themeName = "classes";

/** Characters above which code has no colours: bodies of some descriptions have hundreds of kilobytes. */
const maxHighlightedLength = 6000;

function highlight(core: HighlighterCore, text: string, language: SampleLanguage): Html {
  if (text.length > maxHighlightedLength) return trustHtml(escapeHtml(text));
  const lang = language === "shell" ? "shellscript" : language;
  // Without a limit of time, so that slow machines print the same: the length bounds the work.
  const lines = core.codeToTokensBase(text, { lang, theme: themeName, tokenizeTimeLimit: 0 });
  const printed = lines.map((tokens) => tokens.map(({ content, color }) => token(content, color)).join(""));
  return trustHtml(printed.join("\n"));
}

/** The class of a token is the name of its variable: `var(--token-string)` becomes `s-string`. */
function token(content: string, color = ""): string {
  const [, name] = /^var\(--token-([a-z-]+)\)$/.exec(color) ?? [];
  const text = escapeHtml(content);
  return name === undefined || content.trim() === "" ? text : `<span class="s-${name}">${text}</span>`;
}

/** Lines of an example beyond which it is cut. */
const maxExampleLines = 120;

/** Prints a JSON value with colours. Long values are cut, and end in an ellipsis. */
export function highlightJson(value: Json): Html {
  const lines = printJson(value, "").split("\n");
  const visibleLines = lines.length > maxExampleLines ? [...lines.slice(0, maxExampleLines), "…"] : lines;
  return trustHtml(visibleLines.join("\n"));
}

function printJson(value: Json, indent: string): string {
  const inner = `${indent}  `;
  if (isJsonArray(value)) {
    if (value.length === 0) return "[]";
    return `[\n${value.map((each) => `${inner}${printJson(each, inner)}`).join(",\n")}\n${indent}]`;
  }
  if (isJsonObject(value)) {
    const entries = Object.entries<Json>(value);
    if (entries.length === 0) return "{}";
    const lines = entries.map(([key, each]) => `${inner}${scalar("property", key)}: ${printJson(each, inner)}`);
    return `{\n${lines.join(",\n")}\n${indent}}`;
  }
  return scalar(typeof value === "string" ? "string" : "constant", value);
}

/** Characters of a text beyond which an example shortens it. */
const maxTextLength = 300;

function scalar(name: string, value: string | number | boolean | null): string {
  const text = typeof value === "string" && value.length > maxTextLength ? `${value.slice(0, maxTextLength)}…` : value;
  return `<span class="s-${name}">${escapeHtml(JSON.stringify(text))}</span>`;
}
