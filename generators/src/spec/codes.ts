/** The severities of a code in each profile. */
export interface Severities {
  readonly owner: Level;
  readonly foreign: Level;
  /** One sentence about its meaning. */
  readonly says: string;
}

export type Level = "error" | "warning" | "off";

const registry = {
  // Files
  "description/unreadable": { owner: "error", foreign: "error", says: "A file cannot be read." },
  "description/syntax": { owner: "error", foreign: "error", says: "A file is not valid YAML or JSON." },
  "description/too-deep": { owner: "error", foreign: "error", says: "A file is nested too deep to be worked with." },
  "description/too-large": { owner: "error", foreign: "error", says: "A file is too large to be worked with." },
  "description/version": { owner: "error", foreign: "error", says: "The root is no OpenAPI 3 description." },

  "description/circular": {
    owner: "error",
    foreign: "error",
    says: "A reference or a schema leads only back to itself.",
  },

  // Overlays
  "overlay/unreadable": { owner: "error", foreign: "error", says: "An overlay cannot be read." },
  "overlay/version": { owner: "error", foreign: "error", says: "A file is no overlay of version 1.0." },
  "overlay/shape": { owner: "error", foreign: "error", says: "An overlay is not of the form of Overlay 1.0." },
  "overlay/target": { owner: "error", foreign: "error", says: "The target of an action is no JSONPath." },
  "overlay/unmatched": { owner: "warning", foreign: "warning", says: "The target of an action is nowhere." },
  "overlay/effort": { owner: "error", foreign: "error", says: "Overlays take more steps than they may." },
  "overlay/update": { owner: "error", foreign: "error", says: "An action cannot do there what it says." },
  "overlay/extends": { owner: "error", foreign: "error", says: "An overlay is for a file that nobody reads." },

  // Custom generators
  "generator/name": { owner: "error", foreign: "error", says: "A generator has a name that it cannot have." },
  "generator/missing": { owner: "error", foreign: "error", says: "A generator cannot be found." },
  "generator/shape": { owner: "error", foreign: "error", says: "A generator, or what it gives, is not of its form." },
  "generator/failed": { owner: "error", foreign: "error", says: "A generator throws, or ends the command." },
  "generator/path": { owner: "error", foreign: "error", says: "A generator writes where it may not." },
  "generator/text": { owner: "error", foreign: "error", says: "A generator writes what does not parse." },

  // Valid, but not supported
  "unsupported/construct": { owner: "error", foreign: "error", says: "A construct of OpenAPI 3.2 cannot be read." },
  "unsupported/keyword": { owner: "error", foreign: "warning", says: "A keyword of JSON Schema is not followed." },
  "unsupported/content": { owner: "warning", foreign: "warning", says: "A representation is not used." },
  "unsupported/encoding": {
    owner: "warning",
    foreign: "warning",
    says: "A part of a form is not written as it says.",
  },
  "unsupported/security": { owner: "warning", foreign: "warning", says: "A request cannot show this scheme." },
  "unsupported/servers": { owner: "warning", foreign: "warning", says: "An operation is served elsewhere." },

  // Settings of the conformance suite
  "conformance/unknown": { owner: "error", foreign: "error", says: "The settings of a suite name what is not there." },
  "conformance/untested": { owner: "error", foreign: "error", says: "No case of the suite tests a requirement." },
  "conformance/tested": { owner: "error", foreign: "error", says: "A reason is given for what is tested." },

  // Workflows
  "workflow/shape": { owner: "error", foreign: "error", says: "A workflow file is not of the form of Arazzo 1.0." },
  "workflow/duplicate": { owner: "error", foreign: "error", says: "Two workflows or steps share a name." },
  "workflow/unknown": { owner: "error", foreign: "error", says: "A workflow names what is not there." },
  "workflow/input": { owner: "error", foreign: "error", says: "Nothing says what an input is, or it is used twice." },
  "workflow/expression": { owner: "error", foreign: "error", says: "An expression cannot be followed." },
  "workflow/criterion": { owner: "error", foreign: "error", says: "What a step has to come to cannot be judged." },
  "workflow/missing": { owner: "error", foreign: "error", says: "There is no workflow for a proof." },
  "workflow/idle": { owner: "error", foreign: "error", says: "A workflow proves nothing." },

  // The vocabulary
  "extension/unknown": { owner: "error", foreign: "warning", says: "An x- name is none of ours; perhaps misspelt." },
  "extension/shape": { owner: "error", foreign: "warning", says: "A key or a value inside an extension is wrong." },
  "extension/place": { owner: "error", foreign: "warning", says: "An extension stands where it means nothing." },
  "limits/unit": { owner: "error", foreign: "off", says: "The window of a limit is no ISO 8601 duration with a unit." },
  "limits/unknown": { owner: "error", foreign: "off", says: "A limit is named that no x-limits has." },
  "limits/duplicate": { owner: "error", foreign: "off", says: "Two different limits share an id." },
  "limits/effect": { owner: "error", foreign: "off", says: "A limit names an effect that is not there." },
  "limits/field": { owner: "error", foreign: "off", says: "A limit is by a field that is not there." },
  "states/unit": {
    owner: "error",
    foreign: "off",
    says: "A time in a state machine is no ISO 8601 duration with a unit.",
  },
  "states/enum": { owner: "error", foreign: "off", says: "The states are not the enum and the hidden ones." },
  "states/unknown": { owner: "error", foreign: "off", says: "A state is named that the machine does not have." },
  "states/unreachable": { owner: "error", foreign: "off", says: "No start and no transition leads to a state." },
  "states/else": {
    owner: "error",
    foreign: "off",
    says: "An operation is refused in some states and nothing says with which error.",
  },
  "states/subject": { owner: "error", foreign: "off", says: "A state machine stands on a schema that is no resource." },
  "scopes/undeclared": {
    owner: "error",
    foreign: "off",
    says: "An operation wants a scope that x-scopes does not make.",
  },
  "scopes/level": { owner: "error", foreign: "off", says: "A level implies one that is not declared." },
  "references/unknown": { owner: "error", foreign: "off", says: "A resource or schema is named that is not there." },
  "references/field": { owner: "error", foreign: "off", says: "A field is named that its object does not have." },
  "operations/unknown": { owner: "error", foreign: "off", says: "An operation is named that is not there." },
  "operations/replies": {
    owner: "error",
    foreign: "off",
    says: "An operation can fail with a status that it does not document.",
  },
  "errors/unknown": { owner: "error", foreign: "off", says: "An error is named that no x-errors in reach has." },
  "errors/duplicate": { owner: "error", foreign: "off", says: "One object lists the same error twice." },
  "errors/proof": { owner: "error", foreign: "off", says: "Nothing says when an error happens." },
  "errors/field": { owner: "error", foreign: "off", says: "An error blames a field that the request does not have." },
  "effects/duplicate": { owner: "error", foreign: "off", says: "Two effects share an id." },
  "effects/proof": { owner: "error", foreign: "off", says: "An effect neither does something nor has a proof." },
  "expressions/syntax": { owner: "error", foreign: "off", says: "A text is no expression." },
  "expressions/unknown": {
    owner: "error",
    foreign: "off",
    says: "An expression names a parameter or field that is not there.",
  },
  "conditions/compile": { owner: "error", foreign: "off", says: "A JSON Schema in an extension does not compile." },
  "conditions/field": {
    owner: "error",
    foreign: "off",
    says: "A condition asks for a field that its subject does not have.",
  },
  "pagination/unknown": {
    owner: "error",
    foreign: "off",
    says: "A paginated list lacks a parameter or a field of the envelope.",
  },

  // Strings
  "patterns/syntax": {
    owner: "error",
    foreign: "warning",
    says: "A pattern is no regular expression with the u flag.",
  },
  "patterns/backtracking": {
    owner: "error",
    foreign: "off",
    says: "A pattern can take forever on a hostile text.",
  },
  "patterns/unbounded": {
    owner: "error",
    foreign: "off",
    says: "A string has a pattern or a format, and no maxLength.",
  },

  // Sources
  "source/unknown": { owner: "error", foreign: "off", says: "An x-source names a requirement that is not there." },
  "source/unused": { owner: "error", foreign: "off", says: "A requirement is named by no x-source." },
  "source/open": { owner: "error", foreign: "off", says: "An open requirement is settled by no assumption." },
  "source/settles": { owner: "error", foreign: "off", says: "An assumption settles what is not open." },
  "source/missing": { owner: "error", foreign: "off", says: "Something stands in the description without a source." },
  "source/requirements": { owner: "error", foreign: "off", says: "The file of requirements is not of the right form." },

  // Redocly's rules, by their own names
  "openapi/struct": { owner: "error", foreign: "error", says: "Something is not as OpenAPI wants it." },
  "openapi/no-unresolved-refs": { owner: "error", foreign: "error", says: "A reference leads nowhere." },
  "openapi/no-duplicated-enum-values": { owner: "error", foreign: "warning", says: "An enum has a value twice." },
  "openapi/no-duplicated-tag-names": { owner: "error", foreign: "warning", says: "Two tags share a name." },
  "openapi/no-empty-servers": { owner: "error", foreign: "off", says: "There is no server." },
  "openapi/no-enum-type-mismatch": {
    owner: "error",
    foreign: "warning",
    says: "A value of an enum is not of the schema's type.",
  },
  "openapi/no-example-value-and-externalValue": {
    owner: "error",
    foreign: "warning",
    says: "An example has a value and an address of one.",
  },
  "openapi/no-identical-paths": {
    owner: "error",
    foreign: "warning",
    says: "Two paths differ by names of parameters only.",
  },
  "openapi/no-illogical-composition-keywords": {
    owner: "warning",
    foreign: "off",
    says: "allOf, anyOf or oneOf says the same twice, or next to nothing.",
  },
  "openapi/no-invalid-media-type-examples": {
    owner: "error",
    foreign: "off",
    says: "An example of a body does not match its schema.",
  },
  "openapi/no-invalid-parameter-examples": {
    owner: "error",
    foreign: "off",
    says: "An example of a parameter does not match its schema.",
  },
  "openapi/no-invalid-schema-examples": {
    owner: "error",
    foreign: "off",
    says: "An example of a schema does not match it.",
  },
  "openapi/no-mixed-number-range-constraints": {
    owner: "error",
    foreign: "off",
    says: "A number has an inclusive and an exclusive bound on the same side.",
  },
  "openapi/no-path-trailing-slash": { owner: "error", foreign: "warning", says: "A path ends in a slash." },
  "openapi/no-required-schema-properties-undefined": {
    owner: "error",
    foreign: "off",
    says: "A required property is not described.",
  },
  "openapi/no-schema-type-mismatch": {
    owner: "error",
    foreign: "warning",
    says: "A schema has keywords of another type.",
  },
  "openapi/no-server-trailing-slash": { owner: "error", foreign: "off", says: "A server's address ends in a slash." },
  "openapi/no-server-variables-empty-enum": {
    owner: "error",
    foreign: "warning",
    says: "A variable of a server has no values.",
  },
  "openapi/no-undefined-server-variable": {
    owner: "error",
    foreign: "error",
    says: "A server's address has a variable that is not described.",
  },
  "openapi/no-unsafe-markdown": {
    owner: "error",
    foreign: "warning",
    says: "A description carries a script or the like.",
  },
  "openapi/no-unused-components": { owner: "warning", foreign: "off", says: "A component is used nowhere." },
  "openapi/nullable-type-sibling": {
    owner: "error",
    foreign: "warning",
    says: "nullable stands without a type (OpenAPI 3.0).",
  },
  "openapi/operation-2xx-response": { owner: "error", foreign: "off", says: "An operation has no success reply." },
  "openapi/operation-4xx-response": { owner: "error", foreign: "off", says: "An operation has no error reply." },
  "openapi/operation-operationId": { owner: "error", foreign: "off", says: "An operation has no operationId." },
  "openapi/operation-operationId-unique": {
    owner: "error",
    foreign: "error",
    says: "Two operations share an operationId.",
  },
  "openapi/operation-operationId-url-safe": {
    owner: "error",
    foreign: "warning",
    says: "An operationId has characters that need escaping.",
  },
  "openapi/operation-parameters-unique": {
    owner: "error",
    foreign: "error",
    says: "An operation has a parameter twice.",
  },
  "openapi/operation-summary": { owner: "error", foreign: "off", says: "An operation has no summary." },
  "openapi/operation-tag-defined": {
    owner: "error",
    foreign: "off",
    says: "An operation has a tag that is not declared.",
  },
  "openapi/path-declaration-must-exist": { owner: "error", foreign: "error", says: "A path parameter has no name." },
  "openapi/path-not-include-query": { owner: "error", foreign: "error", says: "A path has a query in it." },
  "openapi/path-parameters-defined": {
    owner: "error",
    foreign: "error",
    says: "The parameters of a path and of its template differ.",
  },
  "openapi/security-defined": {
    owner: "error",
    foreign: "off",
    says: "An operation does not say who may call it, or names a scheme that is not there.",
  },
  "openapi/security-scopes-defined": {
    owner: "error",
    foreign: "off",
    says: "An OAuth scope is not declared by its scheme.",
  },
  "openapi/spec-components-invalid-map-name": {
    owner: "error",
    foreign: "warning",
    says: "A component has a name that OpenAPI does not allow.",
  },
  "openapi/spec-ref-siblings": { owner: "error", foreign: "warning", says: "Keys beside a $ref are ignored there." },
} as const;

export type Code = keyof typeof registry;

/** Every diagnostic that the linter reports. With `foreign`, only problems that prevent generation are errors. */
export const codes: Readonly<Record<Code, Severities>> = registry;

/** Rules of Redocly's recommended set that are disabled, with reasons. */
export const redoclyOff: Readonly<Record<string, string>> = {
  "info-license": "Whether an API names a license is its owner's affair; nothing is generated from it.",
  "info-license-strict": "As info-license.",
  "no-ambiguous-paths":
    "/images/upload beside /images/{imageId} is not ambiguous: OpenAPI tries concrete paths first, as generated routers do.",
  "no-server-example.com": "Test controls are served on localhost, and documents of an emulator name reserved hosts.",
  "tag-description": "A tag is a folder of generated code here; its name says enough.",
};

export const openapiPrefix = "openapi/";
