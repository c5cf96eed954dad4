import { describeGet, describeNotes, type DiffCase } from "./diff-cases.support.js";

const nothing = describeNotes({});
const withGet = (keys?: string, path?: string) => describeNotes({ paths: describeGet(keys, path) });
const pair = (path: string) =>
  describeGet(undefined, path).replace("[{", "[{name: tag, in: path, required: true, schema: {type: string}}, {");
const parameter = (keys: string) => describeNotes({ operation: `parameters: [{${keys}}]` });
const body = (keys: string) => describeNotes({ body: keys });
const json = "application/json: {schema: {type: string}}";
const text = "text/plain: {schema: {type: string}}";
const response = (keys: string) => describeNotes({ response: keys });
const responses = (more: string) =>
  nothing.replace("'200': {description: Done}", `'200': {description: Done}\n        ${more}`);
const header = (keys: string) => response(`description: Done, headers: {X-Rate: {${keys}}}`);
const paged = (keys: string) =>
  describeNotes({
    operation: `x-lists: {pages: {${keys}}}\nparameters: [{name: page, in: query, schema: {type: integer}}, {name: size, in: query, schema: {type: integer}}]`,
  });
const filtered = (keys: string) =>
  describeNotes({
    operation: `x-lists: {${keys}}\nparameters: [{name: sort, in: query, schema: {type: string}}, {name: filter, in: query, style: deepObject, schema: {type: object}}]`,
  });
const envelope = "envelope: {items: data, page: page, pages: pages, total: total}";

/** Differences of parameters, bodies, responses and pages. */
export const messageDiffCases: readonly DiffCase[] = [
  // Parameters
  {
    what: "a required parameter is added",
    old: nothing,
    next: parameter("name: q, in: query, required: true, schema: {type: string}"),
    expected: ["parameter-required-added: callers, wire"],
  },
  {
    what: "an optional parameter is added",
    old: nothing,
    next: parameter("name: q, in: query, schema: {type: string}"),
    expected: ["parameter-added: none"],
  },
  {
    what: "a parameter is removed",
    old: parameter("name: q, in: query, schema: {type: string}"),
    next: nothing,
    expected: ["parameter-removed: callers, implementers, wire"],
  },
  {
    what: "a parameter has another location",
    old: parameter("name: q, in: query, schema: {type: string}"),
    next: parameter("name: q, in: header, schema: {type: string}"),
    expected: ["parameter-added: none", "parameter-removed: callers, implementers, wire"],
  },
  {
    what: "a header is written in capitals",
    old: parameter("name: X-Trace, in: header, schema: {type: string}"),
    next: parameter("name: X-TRACE, in: header, schema: {type: string}"),
    expected: ["parameter-renamed: callers, implementers"],
  },
  {
    what: "a parameter of the path has another name",
    old: withGet(),
    next: withGet(undefined, "/notes/{key}").replace("name: id", "name: key"),
    expected: ["parameter-renamed: callers, implementers"],
  },
  {
    what: "parameters of the path change their order",
    old: describeNotes({ paths: pair("/notes/{id}/{tag}") }),
    next: describeNotes({ paths: pair("/notes/{tag}/{id}") }),
    expected: ["operation-moved: wire"],
  },
  {
    what: "a parameter is required",
    old: parameter("name: q, in: query, schema: {type: string}"),
    next: parameter("name: q, in: query, required: true, schema: {type: string}"),
    expected: ["parameter-required: callers, wire"],
  },
  {
    what: "a parameter is optional",
    old: parameter("name: q, in: query, required: true, schema: {type: string}"),
    next: parameter("name: q, in: query, schema: {type: string}"),
    expected: ["parameter-optional: implementers"],
  },
  {
    what: "a parameter is deprecated",
    old: parameter("name: q, in: query, schema: {type: string}"),
    next: parameter("name: q, in: query, deprecated: true, schema: {type: string}"),
    expected: ["parameter-deprecated: none"],
  },
  {
    what: "a parameter is no longer deprecated",
    old: parameter("name: q, in: query, deprecated: true, schema: {type: string}"),
    next: parameter("name: q, in: query, schema: {type: string}"),
    expected: ["parameter-restored: none"],
  },
  {
    what: "a list is separated by commas",
    old: parameter("name: q, in: query, schema: {type: array, items: {type: string}}"),
    next: parameter("name: q, in: query, explode: false, schema: {type: array, items: {type: string}}"),
    expected: ["parameter-style-changed: wire"],
  },
  {
    what: "a parameter is JSON",
    old: parameter("name: q, in: query, schema: {type: string}"),
    next: parameter("name: q, in: query, content: {application/json: {schema: {type: string}}}"),
    expected: ["parameter-style-changed: wire"],
  },
  {
    what: "an id may have an additional segment",
    old: withGet(),
    next: withGet().replace("required: true,", "required: true, x-input: {segments: 2},"),
    expected: ["parameter-segments-raised: none"],
  },
  {
    what: "an id may have one segment less",
    old: withGet().replace("required: true,", "required: true, x-input: {segments: 2},"),
    next: withGet(),
    expected: ["parameter-segments-lowered: wire"],
  },
  {
    what: "a path parameter accepts encoded slashes",
    old: withGet(),
    next: withGet().replace("required: true,", "required: true, x-input: {encodedSlash: true},"),
    expected: ["parameter-slash-accepted: none"],
  },
  {
    what: "a path parameter no longer accepts encoded slashes",
    old: withGet().replace("required: true,", "required: true, x-input: {encodedSlash: true},"),
    next: withGet(),
    expected: ["parameter-slash-rejected: wire"],
  },
  {
    what: "a parameter has a bound",
    old: parameter("name: q, in: query, schema: {type: integer}"),
    next: parameter("name: q, in: query, schema: {type: integer, maximum: 9}"),
    expected: ["request-bound-tightened: wire"],
  },
  // Bodies
  {
    what: "a required body is added",
    old: nothing,
    next: body(`required: true, content: {${json}}`),
    expected: ["body-required-added: callers, wire"],
  },
  {
    what: "an optional body is added",
    old: nothing,
    next: body(`content: {${json}}`),
    expected: ["body-added: none"],
  },
  {
    what: "a body is removed",
    old: body(`content: {${json}}`),
    next: nothing,
    expected: ["body-removed: callers, implementers, wire"],
  },
  {
    what: "a body is required",
    old: body(`content: {${json}}`),
    next: body(`required: true, content: {${json}}`),
    expected: ["body-required: callers, wire"],
  },
  {
    what: "a body is optional",
    old: body(`required: true, content: {${json}}`),
    next: body(`content: {${json}}`),
    expected: ["body-optional: implementers"],
  },
  {
    what: "a body may be a text",
    old: body(`content: {${json}}`),
    next: body(`content: {${json}, ${text}}`),
    expected: ["request-media-added: none"],
  },
  {
    what: "a body may not be a text",
    old: body(`content: {${json}, ${text}}`),
    next: body(`content: {${json}}`),
    expected: ["request-media-removed: callers, wire"],
  },
  {
    what: "a response may be a text",
    old: response(`description: Done, content: {${json}}`),
    next: response(`description: Done, content: {${json}, ${text}}`),
    expected: ["response-media-added: none"],
  },
  {
    what: "a response is no longer a text",
    old: response(`description: Done, content: {${json}, ${text}}`),
    next: response(`description: Done, content: {${json}}`),
    expected: ["response-media-removed: callers, implementers, wire"],
  },
  {
    what: "a response without a body has one",
    old: nothing,
    next: response(`description: Done, content: {${json}}`),
    expected: ["response-body-added: implementers"],
  },
  {
    what: "a part of a form is of another type",
    old: body("content: {multipart/form-data: {schema: {type: object, properties: {a: {type: string}}}}}"),
    next: body(
      "content: {multipart/form-data: {schema: {type: object, properties: {a: {type: string}}}, encoding: {a: {contentType: text/csv}}}}",
    ),
    expected: ["encoding-changed: wire"],
  },
  {
    what: "a body has an example",
    old: body(`content: {${json}}`),
    next: body(`content: {${json.replace("}}", "}, example: a}")}}`),
    expected: ["example-changed: none"],
  },
  ...inputs(),
  // Responses
  {
    what: "a success response is added",
    old: nothing,
    next: responses("'202': {description: Soon}"),
    expected: ["response-success-added: callers"],
  },
  {
    what: "a success response is removed",
    old: responses("'202': {description: Soon}"),
    next: nothing,
    expected: ["response-success-removed: callers, implementers, wire"],
  },
  {
    what: "an error response is added",
    old: nothing,
    next: responses("'404': {description: None}"),
    expected: ["response-failure-added: none"],
  },
  {
    what: "an error response is removed",
    old: responses("default: {description: No}"),
    next: nothing,
    expected: ["response-failure-removed: implementers"],
  },
  {
    what: "a response has another description",
    old: nothing,
    next: response("description: Made"),
    expected: ["text-changed: none"],
  },
  {
    what: "a required header is added",
    old: response("description: Done"),
    next: header("required: true, schema: {type: integer}"),
    expected: ["header-required-added: implementers"],
  },
  {
    what: "an optional header is added",
    old: response("description: Done"),
    next: header("schema: {type: integer}"),
    expected: ["header-added: none"],
  },
  {
    what: "a header is removed",
    old: header("schema: {type: integer}"),
    next: response("description: Done"),
    expected: ["header-removed: callers, implementers, wire"],
  },
  {
    what: "an optional header is required",
    old: header("schema: {type: integer}"),
    next: header("required: true, schema: {type: integer}"),
    expected: ["header-required: implementers"],
  },
  {
    what: "a required header is optional",
    old: header("required: true, schema: {type: integer}"),
    next: header("schema: {type: integer}"),
    expected: ["header-optional: callers, wire"],
  },
  {
    what: "a header is a text",
    old: header("schema: {type: integer}"),
    next: header("schema: {type: string}"),
    expected: ["response-type-changed: callers, implementers, wire"],
  },
  // Pages
  {
    what: "a list has pages",
    old: paged("").replace(/ *x-lists.*\n/, ""),
    next: paged(`page: page, size: size, ${envelope}`),
    expected: ["pagination-added: none"],
  },
  {
    what: "a list has no pages",
    old: paged(`page: page, size: size, ${envelope}`),
    next: paged("").replace(/ *x-lists.*\n/, ""),
    expected: ["pagination-removed: callers"],
  },
  {
    what: "pages have their items in another field",
    old: paged(`page: page, size: size, ${envelope}`),
    next: paged(`page: page, size: size, ${envelope.replace("data", "items")}`),
    expected: ["pagination-changed: wire"],
  },
  {
    what: "pages have a cursor in place of a number",
    old: paged(`page: page, size: size, ${envelope}`),
    next: paged("cursor: page, size: size, next: $response.body#/next"),
    expected: ["pagination-changed: wire"],
  },
  {
    what: "the cursor of the next page is in a header",
    old: paged("cursor: page, next: $response.body#/next"),
    next: paged("cursor: page, next: $response.header.X-Next"),
    expected: ["pagination-changed: wire"],
  },
  {
    what: "a list has a filter",
    old: filtered("").replace(/ *x-lists.*\n/, ""),
    next: filtered("filter: {style: brackets}"),
    expected: ["list-syntax-added: none"],
  },
  {
    what: "a list has no order",
    old: filtered("order: {parameter: sort}"),
    next: filtered("").replace(/ *x-lists.*\n/, ""),
    expected: ["list-syntax-removed: callers, wire"],
  },
  {
    what: "an operator of a filter is written otherwise",
    old: filtered("filter: {style: brackets, operators: {gte: gte}}"),
    next: filtered("filter: {style: brackets, operators: {gte: min}}"),
    expected: ["list-syntax-changed: callers, wire"],
  },
  {
    what: "the spelling of a filter's operator is that of another one",
    old: filtered("filter: {style: brackets, operators: {gt: above}}"),
    next: filtered("filter: {style: brackets, operators: {gte: above}}"),
    expected: ["list-syntax-changed: callers, wire"],
  },
];

/** Each option of a body's input, in both directions. */
function inputs(): readonly DiffCase[] {
  const read = (how: string) => body(`${how === "" ? "" : `x-input: {${how}}, `}content: {${json}}`);
  const cases: readonly (readonly [old: string, next: string, expected: string])[] = [
    ["absent: keep", "absent: clear", "input-absent-changed: wire"],
    ["nulls: judged", "nulls: absent", "input-nulls-changed: wire"],
    ["readOnly: ignore", "readOnly: reject", "input-read-only-rejected: wire"],
    ["readOnly: reject", "readOnly: ignore", "input-read-only-ignored: none"],
    ["unknown: ignore", "unknown: reject", "input-unknown-rejected: wire"],
    ["unknown: reject", "unknown: ignore", "input-unknown-ignored: none"],
    ["unchanged: accept", "", "input-unchanged-validated: wire"],
    ["", "unchanged: accept", "input-unchanged-accepted: none"],
    ["", "merged: Always", "input-merged-changed: wire"],
  ];
  return cases.map(([old, next, expected]) => ({
    what: `a body is read so: ${next || "as usual"}`,
    old: read(old),
    next: read(next),
    expected: [expected],
  }));
}
