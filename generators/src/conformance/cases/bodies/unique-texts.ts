import type { Template } from "@plumbline/conformance-runtime";
import {
  findJsonContent,
  findTarget,
  memoizeByKey,
  schemaParts,
  uniqueKeyFields,
  type Api,
  type Operation,
} from "@plumbline/kit/model";
import type { ConformanceContext } from "../../context/context.js";
import type { BodyCaseContext } from "../../requests/body-request.js";
import { createdResource, makersOf } from "../../requests/created-resources.js";
import { planRequest } from "../../requests/request-plan.js";
import { uniqueKeys } from "../../requests/unique-keys.js";
import { compressText, evaluatePartially, isPlainObject, isTemplateList } from "../../values/partial-evaluation.js";
import { escapePointerToken } from "../../values/pointer-token.js";
import { validateTemplate } from "../../values/template-validation.js";

/** The names of body fields that are part of a unique key of what the operation creates or updates, or of the body itself. */
export function uniqueBodyFields(api: Api, operation: Operation): readonly string[] {
  return fieldsOf(api, operation, () => findUniqueFields(api, operation));
}

const fieldsOf = memoizeByKey<Operation, readonly string[]>();

function findUniqueFields(api: Api, operation: Operation): readonly string[] {
  const resource = createdResource(api, operation)?.resource.name ?? findTarget(api, operation)?.resource;
  const content = operation.requestBody && findJsonContent(operation.requestBody.contents);
  const parts = content === undefined ? [] : schemaParts(api, content.schema);
  const limitIds = new Set(parts.flatMap(({ limits = [] }) => limits.map(({ id }) => id)));
  return uniqueKeys(api)
    .filter((key) => limitIds.has(key.limit.id) || key.resource === resource)
    .flatMap(uniqueKeyFields);
}

/** New values of the unique fields that an update can send: those that a creation sends. */
export function freshKeys(context: ConformanceContext, operation: Operation): Readonly<Record<string, Template>> {
  const resource = context.resources.get(findTarget(context.api, operation)?.resource ?? "");
  const maker = resource && makersOf(context.api, resource)[0];
  const body = maker && planRequest(context, maker, { objects: "shared" }).call.body;
  if (!isPlainObject(body)) return {};
  const names = uniqueBodyFields(context.api, operation).filter((name) =>
    JSON.stringify(body[name] ?? null).includes('"$unique"'),
  );
  return Object.fromEntries(names.map((name) => [name, body[name] ?? null] as const));
}

/** A body to send, and a JSON Schema of the responses to it. */
export interface SentBody {
  readonly body: Template;
  readonly expected: Template | undefined;
  /** True if too few texts have its length: another object may have this one, and the server responds with the documented 409. */
  readonly mayBeTaken: boolean;
}

/**
 * Replaces constants in the unique fields of a body, which another object may have already: a case that runs at the same time sends them too,
 * or an earlier run left them. The longest word of a text becomes a new one of the same length for each use, so that a text that tests a pattern
 * still does. Of a long word only the beginning does. Values of the accepted request stay: the owner may have stated them.
 *
 * @param expected a JSON Schema with the constants. Where a constant is replaced, it refers to the request of `answer`.
 */
export function withUniqueTexts(around: BodyCaseContext, body: Template, expected: Template | undefined): SentBody {
  const { context, schema, nulls, operation, acceptedBody } = around;
  if (!isPlainObject(body)) return { body, expected, mayBeTaken: false };
  const hasConflict = operation.responses.some(({ status }) => status === 409);
  const accepted = isPlainObject(acceptedBody) ? acceptedBody : {};
  return uniqueBodyFields(context.api, operation).reduce<SentBody>(
    (before, name) => {
      const value = body[name];
      const isUnique = JSON.stringify(value ?? null).includes('"$unique"');
      const constant = value === undefined || isUnique ? undefined : evaluatePartially(value);
      if (value === undefined || typeof constant !== "string" || constant === accepted[name]) return before;
      const text = uniqueLike(constant);
      const changed = text && { ...body, ...(before.body as typeof body), [name]: text };
      if (changed === undefined || validateTemplate(context, schema, changed, nulls).length > 0) return before;
      const sent = { $get: `answer#/request/body/${escapePointerToken(name)}` };
      const mayBeTaken = before.mayBeTaken || (hasConflict && constant.length < shortestWord);
      return { body: changed, expected: before.expected && replaceConstant(before.expected, value, sent), mayBeTaken };
    },
    { body, expected, mayBeTaken: false },
  );
}

/** The schema with another `const`. */
function replaceConstant(schema: Template, text: Template, by: Template): Template {
  if (schema === null || typeof schema !== "object") return schema;
  if (isTemplateList(schema)) return schema.map((each) => replaceConstant(each, text, by));
  return Object.fromEntries(
    Object.entries(schema).map(([name, each]) => [
      name,
      name === "const" && JSON.stringify(each) === JSON.stringify(text) ? by : replaceConstant(each, text, by),
    ]),
  );
}

/** Undefined for a text without a word, or with a short one in a longer text. */
function uniqueLike(text: string): Template | undefined {
  const [word] = [...text.matchAll(/[a-z0-9]+|😀+/gu)].toSorted(([a], [b]) => b.length - a.length);
  if (word === undefined || (word[0].length < shortestWord && word[0] !== text)) return undefined;
  const start = Array.from(word[0]).slice(0, longestUnique);
  const places = start.map((character) =>
    character === "😀" ? "😀😁😂😃😄😅😆😇" : /\d/.test(character) ? "0-9" : "a-z",
  );
  const rest = text.slice(word.index + start.join("").length);
  const parts = [text.slice(0, word.index), { $unique: places }, compressText(rest)];
  return { $text: parts };
}

/** Six letters have 300 million values, and six digits a million: enough for the thousands of cases of a suite. */
const shortestWord = 6;

/** Twelve letters have as many values as all runs need. */
const longestUnique = 12;
