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
  "description/too-deep": { owner: "error", foreign: "error", says: "A file is nested too deeply." },
  "description/too-large": { owner: "error", foreign: "error", says: "A file is too large." },
  "description/version": { owner: "error", foreign: "error", says: "The root is not an OpenAPI 3 description." },

  "description/circular": {
    owner: "error",
    foreign: "error",
    says: "A reference or a schema leads only back to itself.",
  },

  // Overlays
  "overlay/unreadable": { owner: "error", foreign: "error", says: "An overlay cannot be read." },
  "overlay/version": { owner: "error", foreign: "error", says: "A file is not an overlay of version 1.0." },
  "overlay/shape": { owner: "error", foreign: "error", says: "An overlay does not have the structure of Overlay 1.0." },
  "overlay/target": { owner: "error", foreign: "error", says: "The target of an action is not a valid JSONPath." },
  "overlay/unmatched": { owner: "warning", foreign: "warning", says: "The target of an action matches nothing." },
  "overlay/effort": { owner: "error", foreign: "error", says: "Overlays exceed the step limit." },
  "overlay/update": { owner: "error", foreign: "error", says: "An action cannot be applied to its target." },
  "overlay/extends": {
    owner: "error",
    foreign: "error",
    says: "An overlay extends a file that the description does not use.",
  },

  // Custom generators
  "generator/name": { owner: "error", foreign: "error", says: "The name of a generator is invalid." },
  "generator/missing": { owner: "error", foreign: "error", says: "A generator cannot be found." },
  "generator/shape": { owner: "error", foreign: "error", says: "A generator or its output has an invalid structure." },
  "generator/failed": { owner: "error", foreign: "error", says: "A generator throws, or exits the process." },
  "generator/path": { owner: "error", foreign: "error", says: "A generator writes outside of its folder." },
  "generator/text": { owner: "error", foreign: "error", says: "A generator writes a file that does not parse." },

  // Valid, but not supported
  "unsupported/construct": { owner: "error", foreign: "error", says: "A construct of OpenAPI 3.2 is not supported." },
  "unsupported/keyword": { owner: "error", foreign: "warning", says: "A keyword of JSON Schema is not supported." },
  "unsupported/content": { owner: "warning", foreign: "warning", says: "A media type is ignored." },
  "unsupported/encoding": {
    owner: "warning",
    foreign: "warning",
    says: "An encoding of a form is not supported.",
  },
  "unsupported/security": {
    owner: "warning",
    foreign: "warning",
    says: "A generated client does not support a security scheme.",
  },
  "unsupported/servers": { owner: "warning", foreign: "warning", says: "An operation has servers of its own." },

  // Settings of the conformance suite
  "conformance/unknown": {
    owner: "error",
    foreign: "error",
    says: "The settings of a suite refer to something unknown.",
  },
  "conformance/untested": { owner: "error", foreign: "error", says: "No case of the suite tests a requirement." },
  "conformance/tested": {
    owner: "error",
    foreign: "error",
    says: "An exemption is not needed, because a case tests the requirement.",
  },

  // Workflows
  "workflow/shape": {
    owner: "error",
    foreign: "error",
    says: "A workflow file does not have the structure of Arazzo 1.0.",
  },
  "workflow/duplicate": { owner: "error", foreign: "error", says: "Two workflows or steps share a name." },
  "workflow/unknown": { owner: "error", foreign: "error", says: "A workflow refers to something unknown." },
  "workflow/input": { owner: "error", foreign: "error", says: "An input has no known kind, or is used twice." },
  "workflow/expression": { owner: "error", foreign: "error", says: "An expression cannot be resolved." },
  "workflow/criterion": { owner: "error", foreign: "error", says: "A criterion of a step cannot be evaluated." },
  "workflow/missing": { owner: "error", foreign: "error", says: "A proof refers to an unknown workflow." },
  "workflow/idle": { owner: "error", foreign: "error", says: "A workflow asserts nothing." },

  // The vocabulary
  "extension/unknown": { owner: "error", foreign: "warning", says: "An extension field is unknown, or misspelled." },
  "extension/shape": { owner: "error", foreign: "warning", says: "A key or a value of an extension field is invalid." },
  "extension/place": { owner: "error", foreign: "warning", says: "An extension field has no meaning on this object." },
  "limits/unit": {
    owner: "error",
    foreign: "off",
    says: "The window of a limit is not an ISO 8601 duration with a unit.",
  },
  "limits/unknown": { owner: "error", foreign: "off", says: "A limit is unknown." },
  "limits/duplicate": { owner: "error", foreign: "off", says: "Two different limits share an id." },
  "limits/effect": { owner: "error", foreign: "off", says: "A limit refers to an unknown effect." },
  "limits/field": { owner: "error", foreign: "off", says: "A limit refers to an unknown field." },
  "states/unit": {
    owner: "error",
    foreign: "off",
    says: "A duration of a state machine is not an ISO 8601 duration with a unit.",
  },
  "states/enum": { owner: "error", foreign: "off", says: "The states differ from the enum and the hidden states." },
  "states/unknown": { owner: "error", foreign: "off", says: "A state is unknown." },
  "states/unreachable": {
    owner: "error",
    foreign: "off",
    says: "No initial state and no transition leads to a state.",
  },
  "states/else": {
    owner: "error",
    foreign: "off",
    says: "An operation is rejected in some states, and no error is specified.",
  },
  "states/subject": {
    owner: "error",
    foreign: "off",
    says: "A state machine belongs to a schema that is not a resource.",
  },
  "scopes/undeclared": {
    owner: "error",
    foreign: "off",
    says: "An operation requires a scope that x-scopes does not declare.",
  },
  "scopes/level": { owner: "error", foreign: "off", says: "A level implies one that is not declared." },
  "scopes/same": { owner: "error", foreign: "off", says: "Two schemes for the same tokens do not agree." },
  "references/unknown": { owner: "error", foreign: "off", says: "A resource or schema is unknown." },
  "references/field": { owner: "error", foreign: "off", says: "A field is unknown." },
  "operations/unknown": { owner: "error", foreign: "off", says: "An operation is unknown." },
  "operations/replies": {
    owner: "error",
    foreign: "off",
    says: "An operation can fail with a status that it does not document.",
  },
  "errors/unknown": { owner: "error", foreign: "off", says: "An error is unknown in this operation." },
  "errors/duplicate": { owner: "error", foreign: "off", says: "One object lists the same error twice." },
  "errors/proof": { owner: "error", foreign: "off", says: "Nothing causes an error." },
  "errors/field": {
    owner: "error",
    foreign: "off",
    says: "An error refers to a field that the request does not have.",
  },
  "errors/cause": { owner: "error", foreign: "off", says: "A 400 response does not name a cause." },
  "effects/duplicate": { owner: "error", foreign: "off", says: "Two effects share an id." },
  "effects/proof": { owner: "error", foreign: "off", says: "An effect neither does something nor has a proof." },
  "expressions/syntax": { owner: "error", foreign: "off", says: "A text is not a valid expression." },
  "expressions/unknown": {
    owner: "error",
    foreign: "off",
    says: "An expression refers to an unknown parameter or field.",
  },
  "conditions/compile": { owner: "error", foreign: "off", says: "A JSON Schema in an extension does not compile." },
  "conditions/field": {
    owner: "error",
    foreign: "off",
    says: "A condition refers to a field that its subject does not have.",
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
    says: "A pattern is not a valid regular expression with the u flag.",
  },
  "patterns/backtracking": {
    owner: "error",
    foreign: "off",
    says: "A pattern can take excessive time on a hostile text.",
  },
  "patterns/unbounded": {
    owner: "error",
    foreign: "off",
    says: "A string has a pattern or a format, and no maxLength.",
  },

  // Sources
  "source/unknown": { owner: "error", foreign: "off", says: "An x-source refers to an unknown requirement." },
  "source/unused": { owner: "error", foreign: "off", says: "No x-source refers to a requirement." },
  "source/open": { owner: "error", foreign: "off", says: "No assumption settles an open requirement." },
  "source/settles": { owner: "error", foreign: "off", says: "An assumption settles a requirement that is not open." },
  "source/missing": { owner: "error", foreign: "off", says: "A part of the description has no source." },
  "source/requirements": { owner: "error", foreign: "off", says: "The file of requirements has an invalid structure." },

  // Redocly's rules, by their own names
  "openapi/struct": { owner: "error", foreign: "error", says: "A structure does not conform to OpenAPI." },
  "openapi/no-unresolved-refs": { owner: "error", foreign: "error", says: "A reference does not resolve." },
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
  "openapi/no-unused-components": { owner: "warning", foreign: "off", says: "A component is not used." },
  "openapi/nullable-type-sibling": {
    owner: "error",
    foreign: "warning",
    says: "nullable stands without a type (OpenAPI 3.0).",
  },
  "openapi/operation-2xx-response": { owner: "error", foreign: "off", says: "An operation has no success response." },
  "openapi/operation-4xx-response": { owner: "error", foreign: "off", says: "An operation has no error response." },
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
