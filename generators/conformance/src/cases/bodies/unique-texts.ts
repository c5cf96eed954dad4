import type { Template } from "@plumbline/conformance-runtime";
import { findTarget, uniqueKeyFields, type Api, type Operation } from "@plumbline/model";
import { isPlainObject, isTemplateList } from "../../values/partial-evaluation.js";
import { escapePointerToken } from "../../values/pointer-token.js";
import { validateTemplate } from "../../values/template-validation.js";
import type { BodyCaseContext } from "../../requests/body-request.js";
import { createdResource } from "../../requests/created-resources.js";
import { uniqueKeys } from "../../requests/unique-keys.js";

/** The names of body fields that are part of a unique key of what the operation creates or updates. */
export function uniqueBodyFields(api: Api, operation: Operation): readonly string[] {
  const resource = createdResource(api, operation)?.resource.name ?? findTarget(api, operation)?.resource;
  return uniqueKeys(api)
    .filter((key) => key.resource === resource)
    .flatMap(uniqueKeyFields);
}

/** A body to send, and a JSON Schema of the responses to it. */
export interface SentBody {
  readonly body: Template;
  readonly expected: Template | undefined;
}

/**
 * Replaces constants in the unique fields of a body, which another object may have already: a case that runs at the same time sends them too,
 * or an earlier run left them. The longest word of a text becomes a new one of the same length for each use, so that a text that tests a pattern
 * still does. Values of the accepted request stay: the owner may have stated them.
 *
 * @param expected a JSON Schema with the constants. Where a constant is replaced, it refers to the request of `answer`.
 */
export function withUniqueTexts(around: BodyCaseContext, body: Template, expected: Template | undefined): SentBody {
  const { context, schema, nulls, operation, acceptedBody } = around;
  if (!isPlainObject(body)) return { body, expected };
  const accepted = isPlainObject(acceptedBody) ? acceptedBody : {};
  return uniqueBodyFields(context.api, operation).reduce<SentBody>(
    (before, name) => {
      const value = body[name];
      if (typeof value !== "string" || value === accepted[name]) return before;
      const text = uniqueLike(value);
      const changed = text && { ...body, ...(before.body as typeof body), [name]: text };
      if (changed === undefined || validateTemplate(context, schema, changed, nulls).length > 0) return before;
      const sent = { $get: `answer#/request/body/${escapePointerToken(name)}` };
      return { body: changed, expected: before.expected && replaceConstant(before.expected, value, sent) };
    },
    { body, expected },
  );
}

/** The schema with another `const`. */
function replaceConstant(schema: Template, text: string, by: Template): Template {
  if (schema === null || typeof schema !== "object") return schema;
  if (isTemplateList(schema)) return schema.map((each) => replaceConstant(each, text, by));
  return Object.fromEntries(
    Object.entries(schema).map(([name, each]) => [
      name,
      name === "const" && each === text ? by : replaceConstant(each, text, by),
    ]),
  );
}

/** Undefined for a text without a word that has enough values for a run. */
function uniqueLike(text: string): Template | undefined {
  const [word] = [...text.matchAll(/[a-z0-9]+/g)].toSorted(([a], [b]) => b.length - a.length);
  if (word === undefined || word[0].length < shortestWord) return undefined;
  const places = Array.from(word[0], (character) => (/\d/.test(character) ? "0-9" : "a-z"));
  return { $text: [text.slice(0, word.index), { $unique: places }, text.slice(word.index + word[0].length)] };
}

/** Six letters have 300 million values, and six digits a million: enough for the thousands of cases of a suite. */
const shortestWord = 6;
