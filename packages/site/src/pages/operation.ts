import { createRequestSamples } from "@plumbline/kit/codegen/samples";
import { sampleSchema } from "@plumbline/kit/codegen/values";
import {
  describeCondition,
  describeExpression,
  expressionContext,
  preferredContent,
  mediaKind,
  operationErrors,
  type MediaTypeObject,
  type Operation,
  type OperationResponse,
  type Parameter,
} from "@plumbline/kit/model";
import { describeAccess } from "../describe/access.js";
import { describeError } from "../describe/errors.js";
import { describeFacts, sourceText } from "../describe/facts.js";
import { describeStructure, describeValue, type FieldView } from "../describe/fields.js";
import { describeLimit } from "../describe/limits.js";
import { describeSamples } from "../describe/samples.js";
import { describeSources } from "../describe/sources.js";
import { describeOperationStates } from "../describe/states.js";
import { describeType, mergedParts } from "../describe/types.js";
import { highlightJson } from "../render/highlight.js";
import { html, phraseHtml, scriptJson } from "../render/html.js";
import { renderInlineMarkdown, renderMarkdown } from "../render/markdown.js";
import { renderHtml } from "../render/templates.js";
import { allOperations, claimAnchor, type PageContext, type SiteContext } from "../site-context.js";
import { anchorOf } from "../site-links.js";
import { pageContext, type SitePage } from "../site-page.js";
import { absoluteServers, consoleOperation } from "../try-it/console-operation.js";

/** Creates a page for each operation. */
export function operationPages(site: SiteContext): readonly SitePage[] {
  return allOperations(site.api).map((operation) => {
    const path = site.paths.operations.get(operation.name) ?? "";
    const { name, tag, summary } = operation;
    const body = renderHtml("operation", describeOperation(pageContext(site, path), operation));
    const hasConsole = site.console !== undefined && operation.path !== "";
    const servers = hasConsole ? absoluteServers(site.api, operation) : undefined;
    return { path, title: summary ?? name, tag, operation: name, body, ...(servers && { servers }) };
  });
}

function describeOperation(context: PageContext, operation: Operation): object {
  const { api, links } = context;
  const { name, method, path, tag, requestBody, responses } = operation;
  const isCallable = path !== "";
  const about = expressionContext(api, operation);
  const access = describeAccess(context, operation);
  const states = describeOperationStates(context, name);
  return {
    name,
    method,
    methodClass: method.toLowerCase(),
    path: isCallable ? path : "a URL of another response",
    title: operation.summary ?? name,
    tag,
    tagHref: links.tag(tag),
    description: operation.description === undefined ? undefined : renderMarkdown(operation.description, 2),
    deprecation: describeDeprecation(context, operation),
    hasGlance:
      access !== undefined || operation.pagination !== undefined || states.length + operation.limits.length > 0,
    access,
    parameterGroups: parameterGroups(context, operation),
    body: requestBody && {
      isRequired: requestBody.required,
      description: requestBody.description === undefined ? undefined : renderMarkdown(requestBody.description),
      contents: requestBody.contents.map((each) => describeContent(context, each, "body")),
      rules: bodyRules(requestBody.input),
    },
    responses: responses.map((each) => describeResponse(context, each)),
    limits: operation.limits.map((limit) => describeLimit(context, { limit }, operation)),
    states,
    effects: operation.effects.map(({ id, summary, when, does, to, object: changed, values, ...node }) => ({
      id,
      anchor: claimAnchor(context, `effect-${anchorOf(id)}`),
      summary: summary === undefined ? undefined : renderInlineMarkdown(summary),
      action:
        does && html`${does} ${changed === undefined ? (to ?? "") : phraseHtml(describeExpression(changed, about))}`,
      condition: when === undefined ? undefined : phraseHtml(describeCondition(when, about)),
      values: Object.entries(values).map(([field, value]) => ({ field, value: sourceText(value, about) })),
      sources: describeSources(context, [node]),
    })),
    errors: operationErrors(api, operation).map((each) => describeError(context, each, operation)),
    errorsHref: api.errors.length > 0 ? links.page("errors.html") : undefined,
    pagination: operation.pagination && { ...operation.pagination, href: links.page("lists.html") },
    sources: describeSources(context, [operation, ...operation.responses, ...(requestBody ? [requestBody] : [])]),
    samples: isCallable
      ? describeSamples(context.highlighter, createRequestSamples(api, operation, context.client))
      : [],
    example: exampleResponse(context, operation),
    console: isCallable && context.console !== undefined ? scriptJson(consoleOperation(context, operation)) : undefined,
  };
}

function describeDeprecation({ links }: PageContext, { deprecated, deprecation }: Operation): object | undefined {
  if (!deprecated) return undefined;
  const replacement = deprecation?.replacement;
  return {
    since: deprecation?.since?.text,
    sunset: deprecation?.sunset?.text,
    replacement,
    replacementHref: replacement === undefined ? undefined : links.operation(replacement),
  };
}

const locationTitles = {
  path: "Path parameters",
  query: "Query parameters",
  header: "Headers",
  cookie: "Cookies",
} as const satisfies Readonly<Record<Parameter["in"], string>>;

function parameterGroups(context: PageContext, { parameters }: Operation): readonly object[] {
  return Object.entries(locationTitles).flatMap(([location, title]) => {
    const ofLocation = parameters.filter((each) => each.in === location);
    return ofLocation.length === 0
      ? []
      : [{ title, fields: ofLocation.map((each) => describeParameter(context, each)) }];
  });
}

function describeParameter(context: PageContext, parameter: Parameter): FieldView {
  const { name, schema } = parameter;
  const parts = mergedParts(context.api, schema);
  const described = [parameter, ...parts].find(({ description }) => description !== undefined)?.description;
  const reference = parameter.reference === undefined ? schema : { ...schema, reference: parameter.reference };
  const anchor = claimAnchor(context, `${parameter.in}-${anchorOf(name)}`);
  return {
    name,
    anchor,
    type: describeType(context, schema),
    isRequired: parameter.required,
    isDeprecated: parameter.deprecated,
    badges: parameter.deprecated ? ["deprecated"] : [],
    description: described === undefined ? undefined : renderInlineMarkdown(described),
    facts: [reference, ...parts.slice(1)].flatMap((each) => describeFacts(context, each)),
    sources: describeSources(context, [parameter, schema]),
    ...describeStructure(context, schema, anchor),
  };
}

function describeContent(context: PageContext, content: MediaTypeObject, anchor: string): object {
  const { mediaType, schema, itemSchema } = content;
  return { mediaType, isStream: itemSchema !== undefined, ...describeValue(context, itemSchema ?? schema, { anchor }) };
}

function describeResponse(context: PageContext, response: OperationResponse): object {
  const status = String(response.status);
  const isSuccess = status.startsWith("2");
  return {
    status,
    statusClass: /^[1-5]/.test(status) ? `s${status.charAt(0)}` : "s0",
    anchor: claimAnchor(context, `response-${anchorOf(status)}`),
    isSuccess,
    description: renderMarkdown(response.description),
    headers: response.headers.map((header) => ({
      name: header.name,
      anchor: claimAnchor(context, `response-${anchorOf(status)}-${anchorOf(header.name)}`),
      type: describeType(context, header.schema),
      isRequired: header.required,
      badges: [],
      description: header.description === undefined ? undefined : renderInlineMarkdown(header.description),
      facts: describeFacts(context, header.schema),
      fields: [],
    })),
    contents: response.contents.map((each) => {
      const anchor = `response-${anchorOf(status)}`;
      // The fields of errors are the same in most responses: a link to their schema is enough.
      const options = { anchor, expandsReference: isSuccess };
      return { mediaType: each.mediaType, ...describeValue(context, each.itemSchema ?? each.schema, options) };
    }),
  };
}

function exampleResponse({ api }: PageContext, { responses }: Operation): object | undefined {
  const success = responses.find(({ status }) => String(status).startsWith("2"));
  const content = preferredContent(success?.contents ?? []);
  if (success === undefined || content === undefined || mediaKind(content.mediaType) !== "json") return undefined;
  const value = content.example ?? sampleSchema(api, content.schema).value;
  return { status: String(success.status), code: highlightJson(value) };
}

/** The rules of a body that differ from what readers expect. */
function bodyRules(rules: NonNullable<Operation["requestBody"]>["input"]): readonly string[] {
  return [
    ...(rules.unknown === "reject" ? ["Unknown fields are rejected."] : ["Unknown fields are ignored."]),
    ...(rules.readOnly === "reject" ? ["Read-only fields are rejected."] : []),
    ...(rules.nulls === "absent" ? ["A field that is null counts as absent."] : []),
    ...(rules.absent === "clear" ? ["Absent fields are cleared."] : []),
    ...(rules.unchanged === "accept" ? ["A value that equals the stored one is always valid."] : []),
  ];
}
